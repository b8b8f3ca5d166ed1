import { expect, test } from 'vitest'
import { isLong } from '../support/tiers.ts'
import { fuzzEmbedded, fuzzInside } from './fuzz.ts'

test.skipIf(isLong)('hostile bodies break no promise of reading and storing', async () => {
  const { problems, outcomes } = await fuzzInside(20_261_122, 250)
  expect(problems).toEqual([])
  expect([...outcomes.keys()].sort()).toEqual(['event', 'failed'])
})

test.runIf(isLong)('hostile bodies break no promise of the running product', async () => {
  const { problems, outcomes } = await fuzzEmbedded(20_261_122, 80)
  expect(problems).toEqual([])
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['200', '400', '422', '415']))
})
