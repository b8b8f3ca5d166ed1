/** When counts are kept, when the store is asked, and what happens while parts come and go. */
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everybody } from '../../../reporting/audience/audience.ts'
import { readFor } from '../../../reporting/audience/read-for.ts'
import { createCountedParts, toMostRows } from '../../../reporting/metrics/counted-parts/counted-parts.ts'
import { toMetrics } from '../../../reporting/metrics/to-metrics.ts'
import type { Blocks, NumberBlocks } from '../../../reporting/metrics/blocks.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

const zones = { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' }
const now = createScope(monday + 20 * day, zones)

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  await store.clear()
  await deliver('a1', 'a2')
})

const deliver = (...ids: string[]) =>
  storeBodies(
    store.writer,
    ids.map((id) => toBody('Created', id, monday + day)),
  )

/** The store's reader, and what to do around each statement, by the part of the text that names it. */
function watch(
  around: (statement: 'part-list' | 'part-rows', parts: string[]) => Promise<void> | void,
): ClickHouseClient {
  return new Proxy(store.reader, {
    get(target, property, receiver) {
      if (property !== 'query') return Reflect.get(target, property, receiver) as unknown
      return async (...[params]: Parameters<ClickHouseClient['query']>) => {
        const { query, query_params } = params
        await around(
          query.includes('system.parts') ? 'part-list' : 'part-rows',
          (query_params?.['parts'] ?? []) as string[],
        )
        return target.query(params)
      }
    },
  })
}

function assigned(blocks: NumberBlocks | undefined): number | undefined {
  return blocks && toMetrics(blocks as Blocks, now).assigned.value
}

describe('what is read', () => {
  test('is only the parts that are new', async () => {
    const read: string[][] = []
    const client = watch((statement, parts) => void (statement === 'part-rows' && read.push(parts)))
    const counted = createCountedParts(ownReader(client), zones)
    expect(assigned(await counted.read(now, 'metrics'))).toBe(2)
    expect(assigned(await counted.read({ ...now, asOf: now.asOf + 1, now: now.now + 1 }, 'metrics'))).toBe(2)
    expect(read).toHaveLength(1)
    await store.writer.command({ query: 'SYSTEM STOP MERGES rollcall.open_versions' })
    try {
      await deliver('a3')
      expect(assigned(await counted.read(now, 'metrics'))).toBe(3)
      expect(read.map((parts) => parts.length)).toEqual([1, 1])
      expect(read[1]).not.toEqual(read[0])
    } finally {
      await store.writer.command({ query: 'SYSTEM START MERGES rollcall.open_versions' })
    }
  })

  test('is read again where a part went between the list and the reading', async () => {
    await deliver('a3')
    let merges = 1
    const client = watch(async (statement) => {
      if (statement === 'part-rows' && merges-- > 0) await rewrite()
    })
    expect(assigned(await createCountedParts(ownReader(client), zones).read(now, 'metrics'))).toBe(3)
    expect(merges).toBeLessThan(0)
  })

  test('is left to the store where parts go faster than they are read', async () => {
    const client = watch(async (statement) => {
      if (statement === 'part-rows') await rewrite()
    })
    expect(await createCountedParts(ownReader(client), zones).read(now, 'metrics')).toBeUndefined()
  })

  /** Another part with the same content. */
  async function rewrite(): Promise<void> {
    await store.writer.command({
      query: 'OPTIMIZE TABLE rollcall.open_versions FINAL SETTINGS optimize_skip_merged_partitions = 0',
    })
  }
})

describe('the store is asked itself', () => {
  test.each([
    ['a moment in the past', { asOf: now.asOf - 1 }],
    ['another zone', { timeZone: 'UTC' }],
    ['another zone of due dates', { dueZone: 'UTC' }],
    ['due dates that end at an instant', { dueEnd: 'instant' as const }],
    ['people who have left', { includeLeavers: true }],
    ['a challenge', { challenge: ['c1'] }],
    ['a team', { team: ['g'] }],
    ['a manager', { manager: ['7'] }],
    ['a person', { user: ['7'] }],
    ['a status', { status: ['overdue' as const] }],
    ['a fact', { fact: ['open' as const] }],
    ['an age', { aging: ['1-7' as const] }],
    ['a window of assignment', { assignedFrom: '2026-01-01' }],
    ['a window of completion', { completedTo: '2026-01-01' }],
    ['a window of due dates', { dueFrom: '2026-01-01' }],
    ['a part of a metric', { part: { metric: 'overdue' as const, name: 'value' } }],
  ])('about %s', async (_, change) => {
    const client = watch(() => expect.unreachable())
    expect(await createCountedParts(ownReader(client), zones).read({ ...now, ...change }, 'metrics')).toBeUndefined()
  })

  test('for those who see some people only', async () => {
    const audience = () => ({ ...everybody, people: { under: ['7'], teams: [], teamsOf: [] } })
    const client = readFor(store.reader, { audience })
    expect(await createCountedParts(client, zones).read(now, 'metrics')).toBeUndefined()
    const all = readFor(store.reader, { audience: () => ({ ...everybody, names: false }) })
    expect(assigned(await createCountedParts(all, zones).read(now, 'metrics'))).toBe(2)
  })

  test('where nothing is stored, or too much', async () => {
    expect(
      await createCountedParts(ownReader(store.reader), { ...zones, mostRows: 1 }).read(now, 'metrics'),
    ).toBeUndefined()
    await store.clear()
    expect(await createCountedParts(ownReader(store.reader), zones).read(now, 'metrics')).toBeUndefined()
  })

  test('where counting would take more than a quarter of the memory', () => {
    expect(toMostRows(2e9)).toBe(5_555_555)
    expect(toMostRows(8e9)).toBe(22_222_222)
    expect(toMostRows(64e9)).toBe(30_000_000)
  })

  test('while many rows are counted, which takes a twentieth of the time at most', async () => {
    let time = 0
    let lists = 0
    const client = watch((statement) => {
      if (statement === 'part-list') lists++
      else time += 100
    })
    const counted = createCountedParts(ownReader(client), { ...zones, mostRowsAtOnce: 1, clock: () => time })
    const read = () => counted.read(now, 'metrics')
    expect(await read()).toBeUndefined()
    await expect.poll(async () => assigned(await read())).toBe(2)
    await store.clear()
    await deliver('a1', 'a2', 'a3')
    expect(await read()).toBeUndefined()
    // Nothing is counted in the background: every reading finds that out by the list.
    const before = lists
    expect(await read()).toBeUndefined()
    expect(lists).toBe(before + 1)
    time += 2_000
    await expect.poll(async () => assigned(await read())).toBe(3)
  })

  test('where the user of a server may not read the list of parts', async () => {
    let time = 0
    let denied = true
    const client = watch(() => {
      if (denied) throw Object.assign(new Error('ACCESS_DENIED'), { code: '497' })
    })
    const counted = createCountedParts(ownReader(client), { ...zones, clock: () => time })
    expect(await counted.read(now, 'metrics')).toBeUndefined()
    denied = false
    expect(await counted.read(now, 'metrics')).toBeUndefined()
    time += 60_000
    expect(assigned(await counted.read(now, 'metrics'))).toBe(2)
  })
})

describe('what is held is not said any more', () => {
  test('of people who have left, and again once they are back', async () => {
    const counted = createCountedParts(ownReader(store.reader), zones)
    expect(assigned(await counted.read(now, 'metrics'))).toBe(2)
    await storeBodies(store.writer, [toBody('Progress', 'a1', monday + 2 * day, {}, { isDeleted: true })])
    expect(assigned(await counted.read(now, 'metrics'))).toBe(0)
    await storeBodies(store.writer, [toBody('Progress', 'a1', monday + 3 * day, {}, { isDeleted: false })])
    expect(assigned(await counted.read(now, 'metrics'))).toBe(2)
  })

  test('of the day after a due date, when the clock is set back to that day', async () => {
    const counted = createCountedParts(ownReader(store.reader), zones)
    // Due on 12 January, and so late from midnight in Berlin on.
    const midnight = Date.UTC(2026, 0, 12, 23)
    for (const moment of [midnight, midnight - 1, midnight]) {
      const scope = createScope(moment, zones)
      const began = (await counted.read(scope, 'metrics'))?.days.filter(([kind]) => kind === 'overdue_began')
      expect([moment, began]).toEqual([moment, moment < midnight ? [] : [['overdue_began', '2026-01-13', 2]]])
    }
  })

  test('of the state before one that has yet to begin, once that begins', async () => {
    const counted = createCountedParts(ownReader(store.reader), zones)
    const completed = { status: 'completed', isCompleted: true, completedAt: monday + 30 * day }
    await storeBodies(store.writer, [toBody('Completed', 'a1', monday + 30 * day, completed)])
    for (const [days, done] of [
      [20, 0],
      [21, 0],
      [31, 1],
      [21, 0],
    ] as const) {
      const blocks = await counted.read(createScope(monday + days * day, zones), 'metrics')
      const { numerator, denominator } = toMetrics(blocks as Blocks, now).completion_rate
      expect([days, numerator, denominator]).toEqual([days, done, 2])
    }
  })

  test('of a part of the same name in a table that was made again', async () => {
    const counted = createCountedParts(ownReader(store.reader), zones)
    const parts = () => store.rows("SELECT name FROM system.parts WHERE active AND table = 'open_versions'")
    await remake()
    await deliver('a1')
    const before = await parts()
    expect(assigned(await counted.read(now, 'metrics'))).toBe(1)
    await remake()
    await deliver('a1', 'a2', 'a3')
    expect(await parts()).toEqual(before)
    expect(assigned(await counted.read(now, 'metrics'))).toBe(3)
  })

  async function remake(): Promise<void> {
    await store.clear()
    const [made] = await store.rows<{ statement: string }>(
      "SELECT create_table_query AS statement FROM system.tables WHERE database = 'rollcall' AND name = 'open_versions'",
    )
    await store.writer.command({ query: 'DROP TABLE rollcall.open_versions SYNC' })
    await store.writer.command({ query: made?.statement ?? '' })
  }
})

test('an error is said, and the next reading counts again', async () => {
  let fails = true
  const client = watch((statement) => {
    if (statement === 'part-rows' && fails) throw new Error('away')
  })
  const counted = createCountedParts(ownReader(client), zones)
  await expect(counted.read(now, 'metrics')).rejects.toThrow('away')
  fails = false
  expect(assigned(await counted.read(now, 'metrics'))).toBe(2)
})

test('readings at the same time do not count anything twice', async () => {
  const counted = createCountedParts(ownReader(store.reader), zones)
  const blocks = await Promise.all([1, 2, 3].map(() => counted.read(now, 'overview')))
  expect(blocks.map(assigned)).toEqual([2, 2, 2])
})
