import { expect, test } from 'vitest'
import { fuzzInside } from './fuzz-inside.ts'

test('hostile bodies break no promise of reading and storing', async () => {
  const { problems, outcomes } = await fuzzInside({ seed: 20_261_122, runs: 250 })
  expect(problems).toEqual([])
  expect([...outcomes.keys()].sort()).toEqual(['event', 'failed'])
})
