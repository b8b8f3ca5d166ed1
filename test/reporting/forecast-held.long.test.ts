/** The forecast over made histories of four kinds, beside the one by age alone: `test/bench/forecast.ts` prints the figures. */
import { expect, test } from 'vitest'
import { evaluate } from '../bench/forecast/evaluate.ts'

test('the interval holds, is not much wider, and the forecast is nearer', () => {
  const scores = evaluate(3)
  const all = scores.find(({ kind }) => kind === 'all')
  if (all === undefined) throw new Error('no scores')
  expect(all.cases).toBeGreaterThan(500)
  expect(all.withoutInterval).toBeLessThan(all.cases / 20)
  expect(all.own.held).toBeGreaterThanOrEqual(0.85)
  expect(all.own.width).toBeLessThanOrEqual(1.5 * all.byAge.width)
  expect(all.own.pinball).toBeLessThanOrEqual(all.byAge.pinball)
  expect(all.own.error).toBeLessThanOrEqual(all.byAge.error)
  for (const { kind, own } of scores) expect([kind, own.held >= 0.8]).toEqual([kind, true])
})
