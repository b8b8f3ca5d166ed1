/** Answers that are shared while they are read, and for a while after. The clock is that of the test. */
import { afterAll, expect, test } from 'vitest'
import { createBlockReader, holdBlocks, type BlockRequest } from '../../reporting/statements/read-blocks.ts'
import { createScope } from '../model/scope.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const store = await openTestStore()
await storeBodies(store.writer, [toBody('Created', 'a', monday)])
afterAll(() => store.close())

const at = (ms: number, rest: Partial<BlockRequest> = {}): BlockRequest => ({
  scope: createScope(monday + day + ms),
  detail: 'metrics',
  ...rest,
})

/** A reading takes as long as `tookMs` says. */
function open() {
  const state = { ms: 0, tookMs: 0, reads: 0, audience: '', problem: undefined as Error | undefined }
  const read = createBlockReader(ownReader(store.reader))
  const held = holdBlocks(
    async (request) => {
      state.reads++
      if (state.problem) throw state.problem
      const reading = await read(request)
      state.ms += state.tookMs
      return reading
    },
    { clock: () => state.ms, audienceKey: () => state.audience },
  )
  /** The moment of the answer, and how many readings there were. */
  const ask = async (request: BlockRequest) => [(await held(request)).scope.asOf - monday - day, state.reads]
  return { state, ask }
}

test.each([
  [500, 2_500],
  [4_000, 10_000],
])('an answer that took %i ms is shared with all who ask within %i ms', async (tookMs, sharedMs) => {
  const { state, ask } = open()
  state.tookMs = tookMs
  expect(await Promise.all([ask(at(0)), ask(at(1)), ask(at(2))])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ])
  state.ms = sharedMs
  expect(await ask(at(3))).toEqual([0, 1])
  state.ms++
  expect(await ask(at(4))).toEqual([4, 2])
})

test('another moment, filter, detail or audience has an answer of its own', async () => {
  const { state, ask } = open()
  state.tookMs = 1_000
  expect(await ask(at(0))).toEqual([0, 1])
  state.audience = 'manager 7'
  expect(await ask(at(1))).toEqual([1, 2])
  state.audience = ''
  expect(await ask(at(2, { scope: createScope(monday + day + 2, { challenge: ['c1'] }) }))).toEqual([2, 3])
  expect(await ask(at(3, { detail: 'counts' }))).toEqual([3, 4])
  const past = createScope(monday + day, { now: monday + day + 4 })
  expect(await ask(at(0, { scope: past }))).toEqual([0, 5])
  // A fixed time before now goes with the clock.
  const before = (now: number) =>
    at(0, { scope: createScope(monday + day + now - 1, { now: monday + day + now }), beforeNowMs: 1 })
  expect(await ask(before(5))).toEqual([4, 6])
  expect(await ask(before(6))).toEqual([4, 6])
})

test('an error is given to all who wait for it, and to no other', async () => {
  const { state, ask } = open()
  state.problem = new Error('out of memory')
  const asked = await Promise.allSettled([ask(at(0)), ask(at(0))])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  state.problem = undefined
  expect(await ask(at(1))).toEqual([1, 2])
})
