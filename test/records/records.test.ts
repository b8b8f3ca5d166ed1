import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createRecords, toKey } from '../../services/records/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
afterEach(() => store.clear())

const day = 86_400_000
let now = Date.now()
const clock = () => now
const kind = { name: 'note', schema: z.object({ text: z.string() }) } as const
const notes = createRecords(kind, { ...store, clock })
const a = { text: 'a' }
const b = { text: 'b' }

test('puts, reads, lists and removes', async () => {
  expect(await notes.read('1')).toBeUndefined()
  expect(await notes.put('1', a)).toEqual({ ok: true, version: 1 })
  now += 1_000
  expect(await notes.put('1', b)).toEqual({ ok: true, version: 2 })
  expect(await notes.read('1')).toEqual({ key: '1', value: b, version: 2, changedAtMs: now })
  await notes.put(toKey('2', 'x/y'), a)
  now += 1_000
  await notes.put(toKey('2', 'z'), b)
  expect((await notes.list()).map(({ key }) => key)).toEqual(['2/z', '1', '2/x%2Fy'])
  expect((await notes.list({ prefix: '2/', limit: 1 })).map(({ value }) => value)).toEqual([b])
  expect((await notes.list({ fromMs: now })).map(({ key }) => key)).toEqual(['2/z'])
  await notes.remove('1')
  expect(await notes.read('1')).toBeUndefined()
  expect(await notes.list({ prefix: '1' })).toEqual([])
  expect(await notes.put('1', a, 0)).toMatchObject({ ok: true })
  expect((await notes.read('1'))?.value).toEqual(a)
})

test('a write of a clock that was set back is not earlier than the one before', async () => {
  await notes.put('1', a)
  const before = now
  now -= 3 * day
  await notes.put('1', b)
  expect(await notes.read('1')).toMatchObject({ value: b, changedAtMs: before + 1 })
  await notes.put('1', a, 2)
  expect(await notes.read('1')).toMatchObject({ value: a, version: 3 })
  const claimAgain = async () =>
    (await notes.claim('2', a), await notes.claims({ keys: ['2'], limit: 1 }))[0]?.changedAtMs
  const first = (await claimAgain()) ?? 0
  now -= day
  expect(await claimAgain()).toBe(first + 1)
  now = before
})

test('refuses a change of an older version and returns the stored one', async () => {
  await notes.put('1', a, 0)
  expect(await notes.put('1', b, 0)).toMatchObject({ ok: false, kept: { value: a, version: 1 } })
  expect(await notes.remove('1', 2)).toMatchObject({ ok: false, kept: { value: a } })
  expect(await notes.remove('1', 1)).toMatchObject({ ok: true })
  expect(await notes.put('1', b, 1)).toEqual({ ok: false, kept: undefined })
})

test('keeps no value that was replaced, after a merge', async () => {
  await notes.put('1', a, 0)
  await notes.put('1', b, 1)
  await notes.put('2', a)
  await notes.put('2', b)
  await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.records FINAL' })
  const rows = await store.rows('SELECT DISTINCT value FROM rollcall.records ORDER BY value')
  expect(rows).toEqual([{ value: '' }, { value: '{"text":"b"}' }])
})

/** All orders in which two processes may take so many steps each. */
function toOrders(first: number, second: number): string[] {
  if (first + second === 0) return ['']
  return [
    ...(first > 0 ? toOrders(first - 1, second).map((rest) => `1${rest}`) : []),
    ...(second > 0 ? toOrders(first, second - 1).map((rest) => `2${rest}`) : []),
  ]
}

/** Lets two processes act, one statement at a time, in this order and then in any: each waits between a read and a write. */
async function race<Result>(
  order: string,
  act: (records: typeof notes, process: string) => Promise<Result>,
  statementMs = 0,
) {
  const left = order.split('')
  const end = (process: string) => left.splice(0, left.length, ...left.filter((each) => each !== process))
  const run = (process: string) => {
    const writer = new Proxy(store.writer, {
      get(target, name) {
        const method = target[name as keyof ClickHouseClient] as unknown as (
          ...args: unknown[]
        ) => Promise<unknown>
        if (!['query', 'insert', 'command'].includes(String(name))) return method.bind(target)
        return async (...args: unknown[]) => {
          while (left.length > 0 && left[0] !== process) await nextTurn()
          await sleep(statementMs)
          const result = await method.apply(target, args)
          left.shift()
          return result
        }
      },
    })
    const records = createRecords(kind, { reader: store.reader, writer, clock })
    return act(records, process).finally(() => end(process))
  }
  return Promise.all([run('1'), run('2')])
}

test.each(toOrders(3, 3))('of two changes of one version, one is done and one refused: %s', async (order) => {
  await notes.put('1', { text: 'old' })
  const puts = await race(order, (records, process) => records.put('1', process === '1' ? a : b, 1))
  const winner = puts[0].ok ? a : b
  expect(puts.filter(({ ok }) => ok)).toHaveLength(1)
  expect(puts.find(({ ok }) => !ok)).toMatchObject({ kept: { value: winner } })
  expect((await notes.read('1'))?.value).toEqual(winner)
})

test('one of two changes is done, however long the statements of the store take', async () => {
  await notes.put('1', a)
  const puts = await race('', (records) => records.put('1', b, 1), 150)
  expect(puts.filter(({ ok }) => ok)).toHaveLength(1)
})

test.each(toOrders(3, 3))('of two claims of one thing, at most one is alone: %s', async (order) => {
  const claims = await race(order, (records) => records.claim('1', a))
  expect(claims.filter(({ others }) => others.length === 0).length).toBeLessThanOrEqual(1)
  const { others } = await notes.claim('1', a)
  expect(others.map(({ claim }) => claim).sort()).toEqual(claims.map(({ claim }) => claim).sort())
})

test('a claim ends with its outcome, and no other claim replaces it', async () => {
  const { claim } = await notes.claim(toKey('mail', '1'), a)
  await notes.settle(toKey('mail', '1'), claim, b)
  expect((await notes.claim(toKey('mail', '1'), a)).others).toMatchObject([{ claim, value: b }])
  expect(await notes.claims({ prefix: 'mail/' })).toHaveLength(2)
  expect(await notes.claims({ fromMs: now + day })).toEqual([])
})

test('a record of a kind that is kept for a time is gone after it, from the disk too', async () => {
  const ends = createRecords({ ...kind, name: 'session_end' }, { ...store, clock })
  now -= 32 * day
  await ends.put('1', a)
  expect(await ends.read('1')).toMatchObject({ value: a })
  now += 32 * day
  expect(await ends.read('1')).toBeUndefined()
  expect(await ends.list()).toEqual([])
  await store.writer.command({ query: 'SYSTEM START TTL MERGES' })
  await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.records FINAL' })
  await store.writer.command({ query: 'SYSTEM STOP TTL MERGES' })
  expect(await store.rows('SELECT * FROM rollcall.records')).toEqual([])
})
