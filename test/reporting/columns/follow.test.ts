/** What is held is what the store has, whatever comes in, is merged or is rewritten; and what is read again for that. */
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemory, type FollowedMemory } from '../../../reporting/columns/follow.ts'
import { toMostVersions, type FollowerOptions } from '../../../reporting/columns/follower.ts'
import type { Memory } from '../../../reporting/columns/memory.ts'
import { tablesOf } from '../../../schemas/clickhouse/contract.ts'
import { everybody } from '../../../reporting/audience.ts'
import { readHealth } from '../../../reporting/queries/health.ts'
import { readSetup } from '../../../reporting/queries/setup.ts'
import { openSource, tables, type Source } from '../../../reporting/columns/source.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { openTestStore } from '../../support/store/store.ts'
import { isLong } from '../../support/tiers.ts'
import { until } from '../../support/wait.ts'

const zones = { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' }
const now = createScope(monday + 20 * day, zones)

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  await store.clear()
  await deliver('a1', 'a2')
})

const command = (query: string) => store.writer.command({ query })
const deliver = (...ids: string[]) =>
  storeBodies(
    store.writer,
    ids.map((id) => toBody('Created', id, monday + day)),
  )
const complete = (id: string, ...ats: number[]) =>
  storeBodies(
    store.writer,
    ats.map((at) => toBody('Completed', id, at, { status: 'completed', isCompleted: true, completedAt: at })),
  )
const daysFrom = (first: number, n: number) =>
  Array.from({ length: n }, (_, more) => monday + (first + more) * day)
let areMergesStopped = false
async function merge(table: string): Promise<void> {
  await command(`SYSTEM START MERGES rollcall.${table}`)
  await command(`OPTIMIZE TABLE rollcall.${table} FINAL SETTINGS optimize_skip_merged_partitions = 0`)
  if (areMergesStopped) await command(`SYSTEM STOP MERGES rollcall.${table}`)
}
const mergeAll = async () => {
  for (const table of tables) await merge(table)
}

/** Without merges except those of the test. */
async function withoutMerges(work: () => Promise<void>): Promise<void> {
  areMergesStopped = true
  for (const table of tables) await command(`SYSTEM STOP MERGES rollcall.${table}`)
  try {
    await work()
  } finally {
    areMergesStopped = false
    for (const table of tables) await command(`SYSTEM START MERGES rollcall.${table}`)
  }
}

/** The store as a front end shows it: another server, or one that does not have this block of open versions yet. */
type Front = { server?: string | undefined; without?: number | undefined }

/** A memory, and the rows that it reads of tables. `change`: the other answers of its source. */
function open(change: Partial<Source> = {}, options: FollowerOptions = {}) {
  const front: Front = {}
  const rewrite = (text: string) => {
    const of =
      front.server === undefined ? text : text.replaceAll('serverUUID()', `toUUID('${front.server}')`)
    if (front.without === undefined) return of
    return of
      .replaceAll(
        'WHERE active',
        `WHERE NOT (table = 'open_versions' AND min_block_number = ${front.without}) AND active`,
      )
      .replaceAll(
        'rollcall.open_versions',
        `(SELECT *, _block_number FROM rollcall.open_versions WHERE _block_number != ${front.without})`,
      )
  }
  const client = {
    query: (params: { query: string }) =>
      store.reader.query({ ...params, query: rewrite(params.query) } as never),
    exec: (params: { query: string }) => store.reader.exec({ ...params, query: rewrite(params.query) }),
  } as unknown as ClickHouseClient
  const source: Source = { ...openSource(client), ...change }
  const read: string[] = []
  const errors: unknown[] = []
  const watched: Source = {
    ...source,
    async *read(followed, server, which, rows) {
      let n = 0
      for await (const block of source.read(followed, server, which, rows)) {
        n += block.rows
        yield block
      }
      const what = 'blocks' in which ? 'new' : which.buckets === undefined ? 'all' : 'differing'
      read.push(`${n} ${what} of ${followed.table}`)
    },
  }
  const memory = createMemory(watched, {
    now: () => now.asOf,
    onError: (error) => errors.push(error),
    ...options,
  })
  return { memory, front, errors, take: () => read.splice(0).sort() }
}

const askHeld = async <Answer>(
  memory: FollowedMemory,
  use: (held: Memory) => Promise<Answer>,
  request?: object,
) => (await memory.askHeld(use, request))?.answer

/** The versions of assignments that are held; `undefined`: the store is asked itself. */
const held = (memory: FollowedMemory) =>
  askHeld(memory, async ({ open: opened, closed }) =>
    [opened, closed]
      .flatMap((columns) =>
        Array.from({ length: columns.size }, (_, row) => {
          const { assignment_id, state, completed_at } = columns.contentOf(row)
          return [
            assignment_id,
            state,
            completed_at,
            columns.values.valid_from[row],
            columns.values.valid_to[row],
          ].join(' ')
        }),
      )
      .sort(),
  )

/** The versions that the store has. */
async function stored(): Promise<string[]> {
  const rows = await store.rows<{ text: string; n: string }>(
    `SELECT concat(assignment_id, ' ', toString(state), ' ', toString(toUnixTimestamp64Milli(completed_at)), ' ',
        toString(toUnixTimestamp64Milli(valid_from)), ' ', if(valid_to >= '2200-01-01', 'Infinity', toString(toUnixTimestamp64Milli(valid_to)))) AS text,
      sum(sign) AS n
    FROM (SELECT * FROM rollcall.open_versions UNION ALL SELECT * FROM rollcall.closed_versions)
    GROUP BY text HAVING n > 0`,
  )
  return rows.flatMap(({ text, n }) => Array.from({ length: Number(n) }, () => text)).sort()
}

/** What is held is what is stored. */
async function expectHeld(memory: FollowedMemory): Promise<void> {
  expect(await held(memory)).toEqual(await stored())
}

/** Assigned and completed, wherever the rows come from. */
async function count(memory: FollowedMemory, asOf = now.asOf): Promise<[number, number | null]> {
  const { metrics } = await createQueries(ownReader(store.reader, memory)).metrics({ ...now, asOf })
  return [metrics.assigned.value, metrics.completion_rate.numerator]
}

const lastBlock = async (table: string): Promise<number> =>
  Number((await store.rows<{ n: string }>(`SELECT max(_block_number) AS n FROM rollcall.${table}`))[0]!.n)

describe.skipIf(isLong)('a look reads', () => {
  test('only new blocks, and nothing where blocks are only merged', () =>
    withoutMerges(async () => {
      const { memory, take } = open({}, { mostRowsAtOnce: 3 })
      await expectHeld(memory)
      expect(take()).toEqual(['1 all of user_versions', '2 all of open_versions'])
      await deliver('a3')
      await complete('a1', monday + 2 * day)
      await expectHeld(memory)
      // Of an assignment that changed twice, only the last state is read.
      expect(take()).toEqual(['1 all of closed_versions', '2 new of open_versions'])
      await mergeAll()
      await expectHeld(memory)
      expect(take()).toEqual([])
    }))

  test('blocks that were committed out of turn', () =>
    withoutMerges(async () => {
      const { memory, front, take } = open()
      await deliver('a3')
      front.without = await lastBlock('open_versions')
      await deliver('a4')
      expect(await count(memory)).toEqual([3, 0])
      front.without = undefined
      take()
      await expectHeld(memory)
      expect(take()).toEqual(['1 new of open_versions'])
    }))

  test('a doubled row once, and nothing again until it is mended', async () => {
    const { memory, take } = open()
    await command('INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions LIMIT 1')
    await expectHeld(memory)
    take()
    for (let look = 0; look < 100; look++) {
      if (look % 50 === 0) await deliver(`more ${look}`)
      expect((await held(memory))?.length).toBe(4 + Math.floor(look / 50))
    }
    expect(take()).toEqual(['1 new of open_versions', '1 new of open_versions'])
    expect(memory.status().fullReadings).toMatchObject({ open_versions: 1 })
  })

  test('a large table as a whole once in ten minutes; questions read their own rows meanwhile', async () => {
    let time = 0
    const { memory } = open({}, { clock: () => time, mostRowsAtOnce: 100 })
    await command(`INSERT INTO rollcall.closed_versions
      SELECT * REPLACE (cityHash64(n) AS img, n AS akey, toDateTime64('2026-01-07 00:00:00', 3, 'UTC') AS valid_to)
      EXCEPT n FROM (SELECT *, arrayJoin(range(8000)) AS n FROM (SELECT * FROM rollcall.open_versions LIMIT 1))`)
    await expectHeld(memory)
    await command('ALTER TABLE rollcall.closed_versions DELETE WHERE akey >= 300 SETTINGS mutations_sync = 1')
    time += 599_000
    expect([await held(memory), await count(memory)]).toEqual([undefined, [2, 0]])
    expect(memory.status().fullReadings.closed_versions).toBe(1)
    time += 1_001
    await until(() => held(memory))
    expect(memory.status().fullReadings.closed_versions).toBe(2)
    await expectHeld(memory)
  })
})

describe.skipIf(isLong)('another store', () => {
  test('that answers in turn with one whose last insert it lacks: each answer is of one of them', () =>
    withoutMerges(async () => {
      const { memory, front, take } = open()
      await deliver('a3')
      const last = await lastBlock('open_versions')
      expect(await count(memory)).toEqual([3, 0])
      take()
      for (let turn = 0; turn < 6; turn++) {
        front.without = turn % 2 === 0 ? last : undefined
        expect((await held(memory))?.length).toBe(turn % 2 === 0 ? undefined : 3)
      }
      // What is held was kept.
      expect(take()).toEqual([])
    }))

  test('is read for each question, and held when the one that is held has not answered for a minute', async () => {
    let time = 0
    const { memory, front, take } = open({}, { clock: () => time })
    await expectHeld(memory)
    take()
    front.server = '11111111-1111-1111-1111-111111111111'
    await deliver('a3')
    expect([await held(memory), await count(memory), take()]).toEqual([undefined, [3, 0], []])
    front.server = undefined
    await expectHeld(memory)
    front.server = '11111111-1111-1111-1111-111111111111'
    await deliver('a4')
    expect(await held(memory)).toBeUndefined()
    time += 60_001
    expect(await held(memory)).toBeUndefined()
    await expectHeld(memory)
  })

  test('is a table made anew, also with blocks of the same numbers', async () => {
    let time = 0
    const { memory } = open({}, { clock: () => time })
    await expectHeld(memory)
    const [made] = await store.rows<{ statement: string }>(
      "SELECT create_table_query AS statement FROM system.tables WHERE database = 'rollcall' AND name = 'open_versions'",
    )
    await command('DROP TABLE rollcall.open_versions SYNC')
    await command(made!.statement)
    await deliver('a8', 'a9')
    expect([await held(memory), await count(memory)]).toEqual([undefined, [2, 0]])
    time += 60_001
    await held(memory)
    await expectHeld(memory)
  })
})

describe.skipIf(isLong)('held is', () => {
  test('nothing where it does not fit, of several shards, or where the store denies it', async () => {
    for (const mostVersions of [0, 1]) expect(await held(open({}, { mostVersions }).memory)).toBeUndefined()
    const { sums } = openSource(store.reader)
    const shards = open({ sums: async (of) => ({ ...(await sums(of)), tables: 'open_versions 1' }) }).memory
    expect([await held(shards), await count(shards)]).toEqual([undefined, [2, 0]])
    const denied = Object.assign(new Error('ACCESS_DENIED'), { code: '497' })
    const { memory, errors } = open({ sums: () => Promise.reject(denied) })
    expect([await held(memory), await count(memory), errors]).toEqual([undefined, [2, 0], []])
    expect([toMostVersions(512e6), toMostVersions(64e9)]).toEqual([256_000, 16_000_000])
  })

  test('again after an error that is reported, and without a row that was removed', async () => {
    let isAway = true
    const { sums } = openSource(store.reader)
    const { memory, errors } = open({ sums: (of) => (isAway ? Promise.reject(new Error('away')) : sums(of)) })
    expect([await held(memory), errors]).toEqual([undefined, [new Error('away')]])
    isAway = false
    await expectHeld(memory)
    const isFirst = "assignment_id = 'a1' SETTINGS mutations_sync = 1"
    await command(`ALTER TABLE rollcall.open_versions DELETE WHERE ${isFirst}`)
    expect((await held(memory))?.length).toBe(1)
  })

  test('the open versions and the closed ones that ended last, where all do not fit', async () => {
    await complete('a1', ...daysFrom(3, 10))
    // Stamped in the future: it closes a version then.
    await complete('a2', now.asOf + 30 * day)
    await mergeAll()
    const { memory, take } = open({}, { mostVersions: 12 })
    const isHeldAt = async (at: number) => {
      const moments = [{ scope: { ...now, asOf: monday + at * day + 1 }, under: [], seenIds: null }]
      return (await memory.askHeld(async () => true, {}, { moments })) !== undefined
    }
    expect(await Promise.all([1, 2, 4, 10, 20].map(isHeldAt))).toEqual([false, false, false, true, true])
    take()
    const unheld = open({}, { mostVersions: 0 }).memory
    for (const asOf of [2, 10, 20].map((at) => monday + at * day + 1))
      expect(await count(memory, asOf)).toEqual(await count(unheld, asOf))
    expect(take()).toEqual([])
    // More are closed: the oldest of them go.
    await complete('a1', ...daysFrom(13, 7))
    await mergeAll()
    await isHeldAt(20)
    expect(await Promise.all([10, 20].map(isHeldAt))).toEqual([false, true])
    expect([memory.status().versions <= 12, memory.status().readQuestions]).toEqual([true, 1])
  })

  test('read in the background where it is much, and nothing that lacks what was stored before the question', async () => {
    const { memory, errors } = open({}, { mostVersions: 7, mostFirstRows: 1, mostRowsAtOnce: 1 })
    let [delivered, answered] = [2, 0]
    const ask = async () => {
      while (delivered < 9) {
        const before = delivered
        if ((await held(memory)) !== undefined) answered++
        expect((await count(memory))[0]).toBeGreaterThanOrEqual(before)
      }
    }
    expect(await held(memory)).toBeUndefined()
    await until(() => held(memory))
    const asking = Promise.all([ask(), ask()])
    for (; delivered < 9; delivered++) {
      await deliver(`more ${delivered}`)
      // Some fit, and are held once a look finds nothing new.
      if (delivered === 4) await until(() => answered)
    }
    await asking
    expect([await held(memory), (await count(memory))[0], errors]).toEqual([undefined, 9, []])
  })
})

test('one request at a time reads many rows: its own questions wait, those of others get an error after 10 s', async () => {
  const { list, readVersions } = openSource(store.reader)
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { memory } = open(
    {
      async list() {
        const { of, ...rest } = await list()
        return { ...rest, of: { ...of, open_versions: { ...of.open_versions, rows: 300_000 } } }
      },
      async *readVersions(needs) {
        begun.resolve()
        await gate.promise
        yield* readVersions(needs)
      },
    },
    { mostVersions: 0 },
  )
  const ask = (request: object, asOf: number) => {
    const moments = [{ scope: { ...now, asOf }, under: [], seenIds: null }]
    return memory.ask(async (rows) => rows.open.size, { moments }, request)
  }
  const own = {}
  // Time goes on, because clients wait by timers too.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  try {
    const answers = Promise.all([now.asOf, monday, monday + 2 * day].map((asOf) => ask(own, asOf)))
    const other = ask({}, monday + 3 * day).catch(String)
    await begun.promise
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await other).toContain('Another question is reading many rows')
    gate.resolve()
    expect(await answers).toEqual([2, 0, 2])
  } finally {
    vi.useRealTimers()
  }
})

test('after late events and merges at random, what is held is what is stored, without a full reading', async () => {
  const assignments = Number(process.env.FOLLOW_ASSIGNMENTS ?? (isLong ? 20_000 : 400))
  const steps = isLong ? 150 : 25
  let seed = 43
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const { memory, errors, take } = open({}, { clock: () => 0, mostRowsAtOnce: 500 })
  const at = (step: number) => monday + day + step * 60_000
  const bodies = (step: number, n: number) =>
    Array.from({ length: n }, () => {
      const isLate = random(10) === 0
      const fields = { completionPercentage: random(100), ...(random(8) === 0 && { isSubmitted: true }) }
      const id = random(assignments)
      return toBody('Progress', `r${id}`, at(isLate ? random(step + 1) : step) + random(60_000), fields, {
        id: id % 97,
      })
    })
  await storeBodies(
    store.writer,
    Array.from({ length: assignments }, (_, id) => toBody('Created', `r${id}`, monday, {}, { id: id % 97 })),
  )
  await until(() => held(memory))
  let asked = 0
  for (let step = 0; step < steps; step++) {
    await storeBodies(store.writer, bodies(step, isLong ? 20 + random(60) : 10 + random(20)))
    if (random(4) === 0)
      await command(`OPTIMIZE TABLE rollcall.${tables[random(3)]} ${random(4) === 0 ? 'FINAL' : ''}`)
    if (random(3) === 0) continue
    asked++
    await until(() => held(memory))
    if (step % 10 === 0 || step === steps - 1) await expectHeld(memory)
  }
  const differing = take().filter((each) => each.includes('differing of closed'))
  expect(memory.status().fullReadings).toEqual({ open_versions: 1, closed_versions: 1, user_versions: 1 })
  expect([asked > steps / 2, errors]).toEqual([true, []])
  // Otherwise nothing was tried.
  expect(differing.length).toBeGreaterThan(0)
})

test('what was stored is read before it is asked for, until ten minutes after the last question', async () => {
  let [time, lists] = [0, 0]
  const { list } = openSource(store.reader)
  const { memory, take } = open({ list: () => (lists++, list()) }, { clock: () => time })
  memory.renew()
  const size = () => askHeld(memory, async (each) => each.open.size)
  expect([await size(), lists]).toEqual([2, 1])
  take()
  await deliver('a3')
  for (let each = 0; each < 10; each++) memory.renew()
  // Once now, and once for all calls meanwhile.
  await until(() => lists === 3)
  expect([take(), await size()]).toEqual([['1 new of open_versions'], 3])
  time += 600_000
  memory.renew()
  await size()
  expect(lists).toBe(5)
})

describe.skipIf(isLong)('an answer is kept', () => {
  const rename = (name: string) =>
    command(`INSERT INTO rollcall.names (kind, id, name, last_seen) VALUES ('team', 't', '${name}', now64())`)
  /** How often the store was asked. */
  function ask(memory: FollowedMemory) {
    let reads = 0
    const read = async () => [++reads]
    return async (request?: object) => {
      await memory.hold({ text: 'the same', of: ['names', 'settings', 'records'], read, request })
      return reads
    }
  }

  test('until one of its tables changes: rows come, are merged away, deleted, or erased by a mutation', async () => {
    const times = ask(open().memory)
    await command(
      "INSERT INTO rollcall.records (kind, key, value, keep_until) VALUES ('note', 'someone', 'Ada Moreno', '2100-01-01 00:00:00')",
    )
    expect([await times(), await times()]).toEqual([1, 1])
    await complete('a1', monday + 2 * day)
    const before = await times()
    await rename('One')
    await rename('Two')
    expect([await times(), await times()]).toEqual([before + 1, before + 1])
    for (const change of [
      'OPTIMIZE TABLE rollcall.names FINAL',
      "ALTER TABLE rollcall.names DELETE WHERE name = 'Two' SETTINGS mutations_sync = 2",
      "ALTER TABLE rollcall.records UPDATE value = 'erased' WHERE 1 SETTINGS mutations_sync = 2",
    ]) {
      const last = await times()
      await command(change)
      expect(await times()).toBeGreaterThan(last)
    }
  })

  test('for the request that asked first for a second, and never longer', async () => {
    let time = 0
    const times = ask(open({}, { clock: () => time }).memory)
    const request = {}
    expect(await times(request)).toBe(1)
    await rename('Two')
    expect([await times(request), await times({})]).toEqual([1, 2])
    time += 1_001
    await rename('Three')
    expect(await times(request)).toBe(3)
  })

  test('with one look at the columns of its request, unless it claims more than that look saw', async () => {
    let [lists, time] = [0, 0]
    const { list } = openSource(store.reader)
    const { memory } = open({ list: () => (lists++, list()) }, { clock: () => time++ })
    const size = (request: object) => askHeld(memory, async (each) => each.open.size, request)
    const request = {}
    expect([await size(request), await size(request), lists]).toEqual([2, 2, 1])
    const read = async () => {
      await deliver('a3')
      return []
    }
    await memory.hold({ text: 'x', of: ['settings'], request, isClaim: true, read })
    expect([await size(request), await size(request), lists]).toEqual([3, 3, 2])
  })

  test('follows from tables only: a view among them is named by its own', async () => {
    const { memory } = open()
    await storeBodies(store.writer, ['not an event'])
    const named = new Set<string>()
    const reader = ownReader(store.reader, {
      ...memory,
      hold(question) {
        for (const each of question.of) named.add(each)
        return memory.hold(question)
      },
    })
    const queries = createQueries(reader)
    const people = { under: ['1'], teams: [], teamsOf: [] }
    await createQueries({
      ...reader,
      audience: () => ({ ...everybody, people }),
      seenIds: async () => ['7'],
    }).frame(now)
    await queries.overview(now, null)
    await queries.assignments(now, { limit: 9, withTotal: true })
    await queries.overdue(now)
    await queries.person('7', now)
    await queries.isSample()
    await readHealth(reader, { now: now.asOf, timeZone: 'UTC' })
    await readSetup(reader, null)
    const found = await store.reader.query({
      query: `SELECT name, engine, create_table_query AS text FROM system.tables WHERE database = 'rollcall'`,
      format: 'JSONEachRow',
    })
    const all = await found.json<{ name: string; engine: string; text: string }>()
    const ofTables = all.filter(({ engine }) => engine.endsWith('MergeTree')).map(({ name }) => name)
    expect([...named].filter((each) => !ofTables.includes(each))).toEqual([])
    expect(named.size).toBeGreaterThan(15)
    // As the engine has them.
    const readBy = (view: string): string[] =>
      ofTables.includes(view)
        ? [view]
        : [...(all.find(({ name }) => name === view)?.text ?? '').matchAll(/rollcall\.(\w+)/g)]
            .flatMap(([, name = '']) => name)
            .filter((name) => name !== view)
            .flatMap(readBy)
    const views = all.filter(({ engine }) => engine === 'View').map(({ name }) => name)
    expect(views.length).toBeGreaterThan(15)
    for (const view of views) expect(new Set(tablesOf(view))).toEqual(new Set(readBy(view)))
  })
})
