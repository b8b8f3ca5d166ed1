/** The forecast over made histories of four kinds: `test/bench/forecast.ts` prints the figures. */
import { expect, test } from 'vitest'
import { evaluate } from '../bench/forecast/evaluate.ts'

test('the interval holds and is narrow, and the forecast is near', () => {
  const scores = evaluate(3)
  const all = scores.find(({ kind }) => kind === 'all')
  if (all === undefined) throw new Error('no scores')
  expect(all.cases).toBeGreaterThan(500)
  expect(all.withoutInterval).toBeLessThan(all.cases / 20)
  expect(all.held).toBeGreaterThanOrEqual(0.85)
  // A Kaplan-Meier curve by age alone, with a bootstrap interval: 2.39 points wide, pinball loss 0.207, mean error 0.71 points.
  expect(all.width).toBeLessThanOrEqual(1.5 * 2.39)
  expect(all.pinball).toBeLessThanOrEqual(0.207)
  expect(all.error).toBeLessThanOrEqual(0.71)
  for (const { kind, held } of scores) expect([kind, held >= 0.8]).toEqual([kind, true])
})
