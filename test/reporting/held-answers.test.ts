/** Answers that are shared for a moment. The clock and the ends of reads are the test's; the last test asks the real store. */
import { setImmediate as settle } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createBlockReader, holdBlocks, type BlockRequest } from '../../reporting/statements/read-blocks.ts'
import { createHeldAnswers } from '../../reporting/metrics/held-answers.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createScope } from '../model/scope.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

type Read = { key: string; finish: (answer: string) => Promise<void>; fail: (error: Error) => Promise<void> }

/** Answers whose reads end when the test says so. */
function start(options: { maxAnswers?: number; readsAtOnce?: number } = {}) {
  const time = { ms: 0 }
  const reads: Read[] = []
  const answers = createHeldAnswers<string>({ ...options, clock: () => time.ms })
  const ask = (key: string) =>
    answers.get(
      key,
      () =>
        new Promise((resolve, reject) => {
          reads.push({
            key,
            finish: async (answer) => (resolve(answer), settle()),
            fail: async (error) => (reject(error), settle()),
          })
        }),
    )
  return { time, reads, answers, ask }
}

test('everybody who asks while one reads gets its answer', async () => {
  const { reads, ask } = start()
  const asked = [ask('a'), ask('a'), ask('a')]
  await settle()
  expect(reads.length).toBe(1)
  await reads[0]?.finish('one')
  expect(await Promise.all(asked)).toEqual(['one', 'one', 'one'])
})

test('an answer is given at once for two seconds after it was asked for, and never later', async () => {
  const { time, reads, ask } = start()
  const first = ask('a')
  await settle()
  time.ms = 600
  await reads[0]?.finish('one')
  await first
  time.ms = 900
  expect(await ask('a')).toBe('one')
  expect(reads.length).toBe(1)
  time.ms = 2_001
  const late = ask('a')
  await settle()
  expect(reads.length).toBe(2)
  await reads[1]?.finish('two')
  expect(await late).toBe('two')
})

test.each([
  [1_500, 4_500],
  // Never older than ten seconds.
  [9_000, 10_000],
])(
  'where reading takes %i ms, an answer is given for %i ms, and nobody waits for the next',
  async (tookMs, ageMs) => {
    const { time, reads, ask } = start()
    const read = async (answer: string) => {
      const asked = ask('a')
      await settle()
      time.ms += tookMs
      await reads.at(-1)?.finish(answer)
      expect(await asked).toBe(answer)
    }
    await read('one')
    // It may have taken so long just this time.
    time.ms = Math.max(time.ms, 2_001)
    const askedAt = time.ms
    await read('two')
    expect(reads.length).toBe(2)
    time.ms = askedAt + Math.max(tookMs, ageMs - 1.3 * tookMs - 1)
    expect(await ask('a')).toBe('two')
    expect(reads.length).toBe(tookMs === 1_500 ? 2 : 3)
    time.ms = askedAt + ageMs
    expect(await ask('a')).toBe('two')
    expect(reads.length).toBe(3)
    time.ms++
    const late = ask('a')
    await settle()
    expect(reads.length).toBe(3)
    await reads[2]?.finish('three')
    expect(await late).toBe('three')
  },
)

test('is refreshed once in the background while it is in use, before it is too old', async () => {
  const { time, reads, ask } = start()
  const first = ask('a')
  await settle()
  time.ms = 100
  await reads[0]?.finish('one')
  await first
  time.ms = 399
  expect(await ask('a')).toBe('one')
  expect(reads.length).toBe(1)
  time.ms = 400
  expect(await Promise.all([ask('a'), ask('a')])).toEqual(['one', 'one'])
  expect(reads.length).toBe(2)
  await reads[1]?.finish('two')
  expect(await ask('a')).toBe('two')
})

test('a read that waits for a slow one serves all who ask meanwhile', async () => {
  const { time, reads, ask } = start()
  const first = ask('a')
  await settle()
  time.ms = 3_000
  const late = ask('a')
  // So long that its answer is too old to be given to anybody else.
  time.ms = 11_000
  await reads[0]?.finish('one')
  expect(await first).toBe('one')
  const later = [ask('a'), ask('a')]
  await settle()
  expect(reads.length).toBe(2)
  await reads[1]?.finish('two')
  expect(reads.length).toBe(2)
  expect(await Promise.all([late, ...later])).toEqual(['two', 'two', 'two'])
})

test('a read that waits for one that fails serves all who ask meanwhile', async () => {
  const { time, reads, ask } = start()
  const first = ask('a').catch((error: Error) => error.message)
  await settle()
  time.ms = 3_000
  const late = ask('a')
  await reads[0]?.fail(new Error('no'))
  const later = ask('a')
  await settle()
  expect(reads.length).toBe(2)
  await reads[1]?.finish('two')
  expect(reads.length).toBe(2)
  expect(await Promise.all([first, late, later])).toEqual(['no', 'two', 'two'])
})

test('reads nothing that is not requested', async () => {
  const { time, reads, ask } = start()
  const first = ask('a')
  await settle()
  await reads[0]?.finish('one')
  await first
  time.ms = 60_000
  await settle()
  expect(reads.length).toBe(1)
})

test('a read that has taken longer than two seconds is not joined: the next one is, by all', async () => {
  const { time, reads, ask } = start()
  const first = ask('a')
  await settle()
  time.ms = 2_500
  const late = [ask('a'), ask('a')]
  await reads[0]?.finish('one')
  expect(await first).toBe('one')
  await settle()
  expect(reads.length).toBe(2)
  await reads[1]?.finish('two')
  expect(await Promise.all(late)).toEqual(['two', 'two'])
})

test('a failure rejects every waiting caller and is not cached', async () => {
  const { reads, ask, answers } = start()
  const asked = Promise.allSettled([ask('a'), ask('a')])
  await settle()
  await reads[0]?.fail(new Error('out of memory'))
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(answers.size()).toBe(0)
  const again = ask('a')
  await settle()
  await reads[1]?.finish('one')
  expect(await again).toBe('one')
})

test('a failure in the background leaves the answer until it is too old', async () => {
  const { time, reads, ask } = start()
  const first = ask('a')
  await settle()
  await reads[0]?.finish('one')
  await first
  time.ms = 1_000
  expect(await ask('a')).toBe('one')
  await reads[1]?.fail(new Error('busy'))
  time.ms = 1_500
  expect(await ask('a')).toBe('one')
})

test('two reads run at once, one after a heavy read; reads with a waiting caller come first', async () => {
  const { time, reads, ask } = start()
  const asked = ['a', 'b', 'c', 'd'].map(ask)
  await settle()
  expect(reads.map(({ key }) => key)).toEqual(['a', 'b'])
  time.ms = 500
  await reads[0]?.finish('one')
  expect(reads.length).toBe(2)
  await reads[1]?.finish('one')
  expect(reads.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  time.ms = 1_900
  expect(await ask('a')).toBe('one') // Due: waits behind d, for which somebody waits.
  await reads[2]?.finish('one')
  expect(reads.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
  await reads[3]?.finish('one')
  expect(reads.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'a'])
  await Promise.all(asked)
})

test('bounds memory: drops answers that are too old, and the oldest beyond the limit', async () => {
  const { time, reads, ask, answers } = start({ maxAnswers: 3, readsAtOnce: 100 })
  for (let number = 0; number < 10; number++) {
    const asked = ask(`key ${number}`)
    await settle()
    await reads[number]?.finish('one')
    await asked
    expect(answers.size()).toBeLessThanOrEqual(3)
  }
  time.ms = 5_000
  const asked = ask('another')
  await settle()
  await reads[10]?.finish('one')
  await asked
  expect(answers.size()).toBe(1)
})

const store = await openTestStore()
afterAll(() => store.close())

test('numbers of now are shared, with their own moment; another moment, filter or audience has its own', async () => {
  const time = { ms: 0 }
  let audience = ''
  const read = holdBlocks(createBlockReader(ownReader(store.reader)), {
    clock: () => time.ms,
    audienceKey: () => audience,
  })
  const at = (ms: number, rest: Partial<BlockRequest> = {}): BlockRequest => ({
    scope: createScope(monday + day + ms),
    detail: 'metrics',
    ...rest,
  })
  const assigned = async (request: BlockRequest) => {
    const { blocks, scope } = await read(request)
    return {
      assigned: blocks.facts.reduce((sum, [, count]) => sum + count, 0),
      asOf: scope.asOf - monday - day,
    }
  }
  const consumer = createConsumer({ client: store.writer })
  const arrive = (id: string, offset: number) =>
    consumer.handle(toBatch([toRecord(toBody('Created', id, monday), offset)]))

  await arrive('a', 0)
  expect(await assigned(at(0))).toEqual({ assigned: 1, asOf: 0 })
  await arrive('b', 1)
  const other = { challenge: ['c1'] }
  expect(await assigned(at(10))).toEqual({ assigned: 1, asOf: 0 })
  audience = 'manager 7'
  expect(await assigned(at(10))).toEqual({ assigned: 2, asOf: 10 })
  audience = ''
  expect(await assigned(at(10, { scope: createScope(monday + day + 10, other) }))).toEqual({
    assigned: 2,
    asOf: 10,
  })
  const past = createScope(monday + day, { now: monday + day + 10 })
  expect(await assigned(at(10, { scope: past }))).toEqual({ assigned: 2, asOf: 0 })
  const before = (now: number) =>
    at(0, { scope: createScope(monday + now - 1, { now: monday + now }), beforeNowMs: 1 })
  expect(await assigned(before(day))).toEqual({ assigned: 2, asOf: -1 })
  expect(await assigned(before(day + 10))).toEqual({ assigned: 2, asOf: -1 })
  time.ms = 2_001
  expect(await assigned(at(20))).toEqual({ assigned: 2, asOf: 20 })
})
