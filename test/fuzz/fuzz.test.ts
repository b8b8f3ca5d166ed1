import { expect, test } from 'vitest'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { isLong } from '../support/tiers.ts'
import { fuzzEmbedded, judge } from './fuzz-embedded.ts'
import { fuzzInside } from './fuzz-inside.ts'
import { sampleBodies } from './hostile-bodies.ts'
import { findLost } from './report.ts'

test('hostile bodies break no promise of reading and storing', async () => {
  const { problems, outcomes } = await fuzzInside({ seed: 20_261_122, runs: 250 })
  expect(problems).toEqual([])
  expect([...outcomes.keys()].sort()).toEqual(['event', 'failed'])
})

test.runIf(isLong)('hostile bodies break no promise of the running product', async () => {
  const { problems, outcomes } = await fuzzEmbedded({ seed: 20_261_122, runs: 80 })
  expect(problems).toEqual([])
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['200', '400', '422', '415']))
})

test.runIf(isLong)('a seed repeats a run, and another seed does not', () => {
  const read = (from: number) => [...sampleBodies(from, 50)].map(({ bytes }) => toEventId(bytes))
  expect(read(1)).toEqual(read(1))
  expect(read(1)).not.toEqual(read(2))
})

test.runIf(isLong)('the oracle finds what it looks for', () => {
  const body = Buffer.from('{}')
  const promised = new Set<string>()
  const said = (receipt: string) => JSON.stringify({ receipt })
  expect(judge({ status: 503, body: '' }, body, promised)).toContain('503')
  expect(judge({ status: 404, body: '' }, body, promised)).toContain('404')
  expect(judge(new Error('socket hang up'), body, promised)).toContain('socket hang up')
  expect(judge({ status: 200, body: said('another') }, body, promised)).toContain('another')
  expect(promised).toEqual(new Set())
  expect(judge({ status: 422, body: said(toEventId(body)) }, body, promised)).toBeUndefined()
  expect(findLost(promised, new Set())).toHaveLength(1)
  expect(findLost(new Set(), promised)).toHaveLength(1)
  expect(findLost(promised, promised)).toEqual([])
})
