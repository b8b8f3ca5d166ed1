/** The reads while parts come and go, and when the store is asked itself. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeEach, describe, expect } from 'vitest'
import {
  createMemory,
  toMostVersions,
  type FollowedMemory,
  type MemoryOptions,
} from '../../../reporting/columns/follow.ts'
import type { Memory } from '../../../reporting/columns/memory.ts'
import type { Block } from '../../../reporting/columns/native.ts'
import { tablesOf } from '../../../schemas/clickhouse/contract.ts'
import { everybody } from '../../../reporting/audience.ts'
import { readHealth } from '../../../reporting/queries/health.ts'
import { readSetup } from '../../../reporting/queries/setup.ts'
import { openSource, type Part, type Source, type Table } from '../../../reporting/columns/source.ts'
import { select } from '../../../reporting/columns/select.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { openTestStore } from '../../support/store/store.ts'
import { isThorough, pickCases, test, testBoth, testLong } from '../../support/thorough.ts'
import { until } from '../../support/wait.ts'

const zones = { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' }
const now = createScope(monday + 20 * day, zones)
const tables = ['open_versions', 'closed_versions', 'user_versions']

const store = await openTestStore()
const source = openSource(store.reader, store.streamer)
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
const complete = (id: string) => {
  const fields = { status: 'completed', isCompleted: true, completedAt: monday + 2 * day }
  return storeBodies(store.writer, [toBody('Completed', id, monday + 2 * day, fields)])
}
const merge = async (table = 'open_versions') => {
  await store.writer.command({
    query: `OPTIMIZE TABLE rollcall.${table} FINAL SETTINGS optimize_skip_merged_partitions = 0`,
  })
}

/** Without merges but those that a test asks for. */
async function withoutMerges(work: () => Promise<void>): Promise<void> {
  for (const table of tables) await store.writer.command({ query: `SYSTEM STOP MERGES rollcall.${table}` })
  try {
    await work()
  } finally {
    for (const table of tables) await store.writer.command({ query: `SYSTEM START MERGES rollcall.${table}` })
  }
}

type Read = { rows: number; isHashes: boolean }

/** The memory of a source, and its reads of open versions. `change`: the other answer of the source. */
function watch(change: Partial<Source> = {}, options: MemoryOptions = {}) {
  const read: Read[] = []
  const errors: unknown[] = []
  const own: Source = { ...source, ...change }
  const memory = createMemory(
    {
      ...own,
      async *read(columns, from, condition) {
        const each: Read = { rows: 0, isHashes: false }
        for await (const block of own.read(columns, from, condition)) {
          each.rows += block.rows
          each.isHashes = block.columns.length === 2
          yield block
        }
        if (from.table === 'open_versions') read.push(each)
      },
    },
    { onError: (error) => errors.push(error), ...options },
  )
  return {
    memory,
    errors,
    take: () => read.splice(0).map(({ rows, isHashes }) => (isHashes ? `${rows} hashes` : rows)),
  }
}

/** From the rows in memory; `undefined` where the store is not held. */
const askHeld = async <Answer>(
  memory: FollowedMemory,
  use: (held: Memory) => Promise<Answer>,
  request?: object,
): Promise<Answer | undefined> => (await memory.askHeld(use, request))?.answer

/** Assigned and completed, by memory; `undefined` where the store is not held. */
async function count(memory: FollowedMemory): Promise<[number, number | null] | undefined> {
  const isHeld = await askHeld(memory, async () => true)
  if (isHeld === undefined) return undefined
  const { metrics } = await createQueries(ownReader(store.reader, memory)).metrics(now)
  return [metrics.assigned.value, metrics.completion_rate.numerator]
}

describe('what is read', () => {
  test('is only what is new, in the order in which it is committed', () =>
    withoutMerges(async () => {
      const { memory, take } = watch()
      expect(await count(memory)).toEqual([2, 0])
      expect(take()).toEqual([2])
      expect(await count(memory)).toEqual([2, 0])
      expect(take()).toEqual([])
      await deliver('a3')
      await complete('a1')
      expect(await count(memory)).toEqual([3, 1])
      expect(take()).toEqual([3])
    }))

  test('is nothing where known blocks are merged', async () => {
    await deliver('a3')
    const { memory, take } = watch()
    expect(await count(memory)).toEqual([3, 0])
    take()
    await merge()
    expect(await count(memory)).toEqual([3, 0])
    expect(take()).toEqual([])
  })

  test('is the rows of unknown blocks, and hashes of the rest, where both are merged', async () => {
    const { memory, take } = watch()
    expect(await count(memory)).toEqual([2, 0])
    take()
    // The open row of a1 is taken back in the merge: only its missing hash says so.
    await complete('a1')
    await deliver('a3', 'a4')
    for (const table of tables) await merge(table)
    expect(await count(memory)).toEqual([4, 1])
    expect(take()).toEqual([3, '1 hashes'])
  })

  test('is everything where hashes do not add up: a row and its retraction went in a merge, and only the retraction was known', async () => {
    const [row] = await store.rows<{ sign: number }>('SELECT * FROM rollcall.open_versions LIMIT 1')
    const insert = (sign: number) =>
      store.writer.insert({ table: 'rollcall.open_versions', values: [{ ...row, sign }], format: 'JSONEachRow' })
    await insert(-1)
    const { memory, take } = watch()
    await withoutMerges(async () => {
      expect(await count(memory)).toEqual([1, 0])
      await insert(-1)
      expect(await count(memory)).toEqual([1, 0])
    })
    await insert(1)
    await merge()
    take()
    expect(await count(memory)).toEqual([1, 0])
    expect(take()).toEqual([0, expect.stringMatching(/hashes/), 1])
  })

  testBoth.each(pickCases(tables, 3))(
    'is read again where a part of %s went between the list and the reading',
    async (table) => {
      await storeBodies(store.writer, [
        toBody('Created', 'a3', monday + day, {}, { id: 8, isDeleted: true }),
        toBody('Created', 'a4', monday + day, {}, { id: 9 }),
      ])
      await complete('a1')
      let merges = 1
      const { memory, errors } = watch({
        async list() {
          const list = await source.list()
          if (merges-- > 0) await merge(table)
          return list
        },
      })
      expect(await count(memory)).toEqual([3, 1])
      expect([merges, errors]).toEqual([-4, []])
    },
  )

  testLong('is nothing that is kept where parts go faster than they are read', async () => {
    const { memory, errors } = watch({
      async list() {
        const list = await source.list()
        await merge()
        return list
      },
    })
    expect([await count(memory), errors]).toEqual([undefined, []])
  })

  testLong('is read in the background where it is much', async () => {
    const { memory } = watch({}, { mostRowsAtOnce: 1 })
    expect(await count(memory)).toBeUndefined()
    await expect.poll(() => count(memory)).toEqual([2, 0])
  })

  test('is there for those who ask after it was stored, while others look', async () => {
    const [listed, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let lists = 0
    const { memory } = watch({
      async list() {
        lists++
        const list = await source.list()
        listed.resolve()
        await asked.promise
        return list
      },
    })
    const first = askHeld(memory, async ({ open }) => open.size)
    await listed.promise
    await deliver('a3')
    const others = Promise.all([1, 2, 3].map(() => askHeld(memory, async ({ open }) => open.size)))
    asked.resolve()
    expect([await first, await others]).toEqual([2, [3, 3, 3]])
    expect(lists).toBe(2)
  })
})

describe('the store is asked itself', () => {
  test('where it is too large, and where nothing may be held', async () => {
    expect(await count(watch({}, { mostVersions: 1 }).memory)).toBeUndefined()
    expect(await count(watch({}, { mostVersions: 0 }).memory)).toBeUndefined()
  })

  test('but for the open versions where the closed ones do not fit: they answer questions of now', async () => {
    await complete('a1')
    const { parts } = await source.list()
    const { memory } = watch({}, { mostVersions: parts.reduce((sum, { rows }) => sum + rows, 0) - 1 })
    const held = (asOf: number, since?: number) => {
      const moments = [{ scope: { ...now, asOf }, under: [], seenIds: null }]
      const question = { moments, ...(since !== undefined && { since }) }
      return memory.askHeld(async ({ open, closed }) => [open.size, closed.size], {}, question)
    }
    expect(await held(now.asOf)).toEqual({ answer: [2, 0] })
    expect([await held(monday + day), await held(now.asOf, monday)]).toEqual([undefined, undefined])
    expect(await memory.askHeld(async () => true)).toBeUndefined()
    const [own, read] = [memory, watch({}, { mostVersions: 0 }).memory].map((each) =>
      createQueries(ownReader(store.reader, each)),
    )
    for (const asOf of [now.asOf, monday + day])
      expect(await own!.metrics({ ...now, asOf })).toEqual(await read!.metrics({ ...now, asOf }))
  })

  test('where this takes more than an eighth of the memory', () => {
    expect(toMostVersions(512e6)).toBe(256_000)
    expect(toMostVersions(64e9)).toBe(32_000_000)
  })

  testLong('where a user of the server may not read the list of parts, or a table', async () => {
    let time = 0
    let lists = 0
    let error: Error | undefined = Object.assign(new Error('ACCESS_DENIED'), { code: '497' })
    const list = async () => {
      lists++
      if (error !== undefined) throw error
      return source.list()
    }
    const { memory, errors } = watch({ list }, { clock: () => time })
    expect(await count(memory)).toBeUndefined()
    error = undefined
    expect(await count(memory)).toBeUndefined()
    expect([lists, errors]).toEqual([1, []])
    time += 60_000
    expect(await count(memory)).toEqual([2, 0])
    const hidden = watch({
      async list() {
        const all = await source.list()
        const isOther = ({ table }: { table: Table }) => table !== 'user_versions'
        return { ...all, tables: all.tables.filter(isOther), parts: all.parts.filter(isOther) }
      },
    })
    expect(await count(hidden.memory)).toBeUndefined()
  })

  test('where it cannot be read, which is said, and read again afterwards', async () => {
    let isAway = true
    const { memory, errors } = watch({
      list() {
        if (isAway) throw new Error('away')
        return source.list()
      },
    })
    expect(await count(memory)).toBeUndefined()
    expect(errors).toEqual([new Error('away')])
    isAway = false
    expect(await count(memory)).toEqual([2, 0])
  })

  testLong('where the parts are those of shards', async () => {
    const list = await source.list()
    const distributed = list.tables.map((each) => ({ ...each, engine: 'Distributed' }))
    expect(await count(watch({ list: async () => ({ ...list, tables: distributed }) }).memory)).toBeUndefined()
    const twice = { ...list, parts: [...list.parts, ...list.parts.map((part) => ({ ...part, hash: 'other' }))] }
    expect(await count(watch({ list: async () => twice }).memory)).toBeUndefined()
  })
})

describe('replicas that answer in turn', () => {
  const replicate = async () => {
    const list = await source.list()
    return { ...list, tables: list.tables.map((each) => ({ ...each, engine: `Replicated${each.engine}` })) }
  }

  test('cost nothing where one has merged what the other has not', () =>
    withoutMerges(async () => {
      await deliver('a3')
      let list = await replicate()
      const { memory, take } = watch({ list: async () => list })
      expect(await count(memory)).toEqual([3, 0])
      take()
      const unmerged = list
      const own = list.parts.filter(({ table }) => table === 'open_versions')
      const [first, last] = [Math.min(...own.map((part) => part.first)), Math.max(...own.map((part) => part.last))]
      const merged = { ...own[0]!, name: `all_${first}_${last}_1`, rows: 3, first, last, hash: 'merged' }
      const others = list.parts.filter(({ table }) => table !== 'open_versions')
      for (const parts of [[...others, merged], unmerged.parts, [...others, merged]]) {
        list = { ...list, parts }
        expect(await count(memory)).toEqual([3, 0])
      }
      expect(take()).toEqual([])
    }))

  test('say nothing before their parts are there: a new one among others has yet to get them', async () => {
    let list = { ...(await replicate()), parts: [] as Part[] }
    expect(await count(watch({ list: async () => list }).memory)).toBeUndefined()
    list = await replicate()
    const { memory } = watch({ list: async () => list })
    expect(await count(memory)).toEqual([2, 0])
    list = { ...list, parts: [] }
    expect(await count(memory)).toEqual([2, 0])
  })

  testLong('never take back what was said: one that lags has yet to get it', () =>
    withoutMerges(async () => {
      let list = await replicate()
      const before = list
      const { memory, take } = watch({ list: async () => list })
      await count(memory)
      await complete('a1')
      list = await replicate()
      expect(await count(memory)).toEqual([2, 1])
      take()
      list = before
      expect(await count(memory)).toEqual([2, 1])
      expect(take()).toEqual([])
    }),
  )
})

describe('what is held is not said any more', () => {
  test('of a table that was emptied, and filled again', async () => {
    const { memory } = watch()
    expect(await count(memory)).toEqual([2, 0])
    await store.clear()
    await deliver('a5')
    expect(await count(memory)).toEqual([1, 0])
  })

  testLong('of rows that were removed from a part', async () => {
    const { memory } = watch()
    expect(await count(memory)).toEqual([2, 0])
    await store.writer.command({
      query: "ALTER TABLE rollcall.open_versions DELETE WHERE assignment_id = 'a1' SETTINGS mutations_sync = 1",
    })
    expect(await count(memory)).toEqual([1, 0])
  })

  testLong('of a part of the same name in a table that was made again', async () => {
    await remake()
    await deliver('a1')
    const parts = () => store.rows("SELECT name FROM system.parts WHERE active AND table = 'open_versions'")
    const before = await parts()
    const { memory } = watch()
    expect(await count(memory)).toEqual([1, 0])
    await remake()
    await deliver('a1', 'a2', 'a3')
    expect(await parts()).toEqual(before)
    expect(await count(memory)).toEqual([3, 0])
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

describe('a store that outgrows the limit', () => {
  test('is asked itself while it grows, without an answer that lacks what was stored before the question', async () => {
    const { memory, errors } = watch({}, { mostVersions: 5, mostRowsAtOnce: 1 })
    const queries = createQueries(ownReader(store.reader, memory))
    let [stored, held] = [2, 0]
    const ask = async () => {
      while (stored < 9) {
        const before = stored
        if ((await askHeld(memory, async () => true)) === true) held++
        const { metrics } = await queries.metrics(now)
        expect(metrics.assigned.value).toBeGreaterThanOrEqual(before)
      }
    }
    await expect.poll(() => count(memory)).toEqual([2, 0])
    const asking = Promise.all([ask(), ask()])
    for (; stored < 9; stored++) await deliver(`more ${stored}`)
    await asking
    expect(await count(memory)).toBeUndefined()
    expect((await queries.metrics(now)).metrics.assigned.value).toBe(9)
    expect([held > 0, errors]).toEqual([true, []])
  })

  testLong('leaves nothing of it in memory, and is held again once it has shrunk', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const { memory } = watch({}, { mostVersions: 9, mostRowsAtOnce: 1 })
    await expect.poll(() => count(memory)).toEqual([2, 0])
    const held = await askHeld(memory, async ({ open }) => new WeakRef(open))
    await deliver('a3', 'a4')
    // Read in the background, and nobody asks for it before it is too large.
    expect(await count(memory)).toBeUndefined()
    await deliver('b1', 'b2', 'b3', 'b4', 'b5', 'b6')
    const isLetGo = async () => {
      expect(await count(memory)).toBeUndefined()
      collectGarbage()
      return held?.deref() === undefined
    }
    await expect.poll(isLetGo).toBe(true)
    await store.clear()
    await deliver('a5')
    await expect.poll(() => count(memory)).toEqual([1, 0])
  })
})

test('an answer that ends within a block is no answer', async () => {
  const { memory, errors } = watch({
    async *read(columns, from, condition) {
      for await (const block of source.read(columns, from, condition)) {
        if (from.table === 'closed_versions') throw new RangeError('The answer ends within a block')
        yield block satisfies Block
      }
    },
  })
  await complete('a1')
  expect(await count(memory)).toBeUndefined()
  expect(errors).toEqual([new RangeError('The answer ends within a block')])
})

testLong('where a due date ends at its instant, kinds stay few although no two due dates agree', async () => {
  await storeBodies(
    store.writer,
    Array.from({ length: 200 }, (_, number) =>
      toBody('Created', `b${number}`, monday + day, { dueDate: monday + 10 * day + number * 8_640_001 }),
    ),
  )
  const { memory } = watch()
  const scope = createScope(monday + 20 * day, { ...zones, dueEnd: 'instant' })
  const [held, stored] = [memory, undefined].map((own) =>
    createQueries(ownReader(store.reader, own)).overview(scope, null),
  )
  expect(await held).toEqual(await stored)
  expect((await held)?.answer.metrics.overdue.value).toBeGreaterThan(50)
  const kinds = await askHeld(memory, async ({ open }) => open.derived.get(`kinds ${scope.dueZone} instant`))
  expect((kinds as unknown as { bits: unknown[] }).bits.length).toBeLessThan(10)
})

test('what several questions of a page ask for is found once, until something is stored', async () => {
  const body = (id: string) => toBody('Created', id, monday + day)
  await storeBodies(store.writer, [body('f1')])
  const { memory } = watch()
  const inScope = { scope: createScope(monday + 20 * day, zones), under: [], seenIds: null }
  const find = () => askHeld(memory, (held) => select(held, inScope))
  const found = await find()
  expect(await find()).toBe(found)
  expect(await askHeld(memory, (held) => select(held, { ...inScope, seenIds: [] }))).not.toBe(found)
  await storeBodies(store.writer, [body('f2')])
  expect((await find())?.[0]?.rows.length).toBe((found?.[0]?.rows.length ?? NaN) + 1)
})

describe.skipIf(isThorough)('what was stored is read before somebody asks', () => {
  function open() {
    let time = 0
    let lists = 0
    const asked: string[] = []
    const list = () => {
      lists++
      return source.list()
    }
    const { memory, take } = watch({ list }, { clock: () => time })
    return {
      memory,
      take,
      wait: (ms: number) => void (time += ms),
      lists: () => lists,
      asked: () => asked.splice(0),
      hold: (text: string, isUsual: boolean) =>
        memory.hold({ text, of: ['open_versions'], isUsual, read: async () => [asked.push(text)] }),
      /** Until what was begun is over: questions to the columns go one at a time. */
      size: () => askHeld(memory, async ({ open: { size } }) => size),
    }
  }

  test('rows, answers that most pages ask for, and once the others', () =>
    withoutMerges(async () => {
      const { memory, take, hold, asked, size } = open()
      expect(await size()).toBe(2)
      await hold('usual', true)
      await hold('rare', false)
      expect([take(), asked()]).toEqual([[2], ['usual', 'rare']])
      for (const [name, texts] of [
        ['a3', ['usual', 'rare']],
        ['a4', ['usual']],
        ['a5', ['usual']],
      ] as const) {
        await deliver(name)
        memory.renew()
        expect(await until(take, ({ length }) => length > 0)).toEqual([1])
        const again: string[] = []
        await until(() => again.push(...asked()) === texts.length)
        expect(again).toEqual(texts)
      }
      await hold('usual', true)
      await hold('rare', false)
      expect([await size(), take(), asked()]).toEqual([5, [], ['rare']])
    }))

  test('an answer for which somebody waits only when they have it', async () => {
    const { memory } = open()
    const asked: string[] = []
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    const hold = (text: string, answered?: Promise<void>) =>
      memory.hold({ text, of: ['open_versions'], read: async () => [asked.push(text), await answered] })
    const slow = hold('slow', gate)
    await hold('quick')
    await deliver('a3')
    memory.renew()
    await until(() => asked.length === 3)
    expect(asked).toEqual(['slow', 'quick', 'quick'])
    letGo()
    await slow
    await until(() => asked.length === 4)
    expect(asked.at(-1)).toBe('slow')
  })

  test('but not where nobody has asked in the last ten minutes', async () => {
    const { memory, wait, size, lists } = open()
    memory.renew()
    expect(await size()).toBe(2)
    expect(lists()).toBe(1)
    wait(600_000)
    memory.renew()
    expect(await size()).toBe(2)
    expect(lists()).toBe(2)
    wait(599_999)
    memory.renew()
    await until(() => lists() === 3)
  })

  test('once for all that is stored meanwhile', async () => {
    const { memory, size, lists } = open()
    await size()
    for (let stored = 0; stored < 10; stored++) memory.renew()
    await until(() => lists() === 3)
    await size()
    expect(lists()).toBe(4)
  })
})

describe('an answer that is held', () => {
  const rename = (name: string) =>
    store.writer.command({
      query: `INSERT INTO rollcall.names (kind, id, name, last_seen) VALUES ('team', 't', '${name}', now64())`,
    })
  /** How often the store was asked. */
  function ask(memory: FollowedMemory) {
    let reads = 0
    const read = async () => [++reads]
    return async (request?: object, of = ['names', 'settings']) => {
      await memory.hold({ text: 'the same', of, read, request })
      return reads
    }
  }

  test('is asked for again when one of its tables has changed, and not for others', async () => {
    const times = ask(watch().memory)
    expect([await times(), await times()]).toEqual([1, 1])
    await deliver('a3')
    await complete('a1')
    const before = await times()
    expect(await times()).toBe(before)
    await rename('One')
    expect([await times(), await times()]).toEqual([before + 1, before + 1])
    await store.writer.command({
      query: `ALTER TABLE rollcall.names DELETE WHERE name = 'One' SETTINGS mutations_sync = 2`,
    })
    expect([await times(), await times()]).toEqual([before + 2, before + 2])
  })

  test('stays where parts are merged, unless one row took the place of another', async () => {
    const times = ask(watch().memory)
    const insert = (id: string) =>
      store.writer.command({
        query: `INSERT INTO rollcall.names (kind, id, name, last_seen) VALUES ('team', '${id}', '${id}', now64())`,
      })
    const merge = () => store.writer.command({ query: 'OPTIMIZE TABLE rollcall.names FINAL' })
    await merge()
    await insert('m1')
    await insert('m2')
    const before = await times()
    await merge()
    expect(await times()).toBe(before)
    await insert('m2')
    expect(await times()).toBe(before + 1)
    await merge()
    expect(await times()).toBe(before + 2)
  })

  test('stays where a merge drops positions that every statement passes over', async () => {
    const times = ask(watch().memory)
    const position = async () => {
      const query = `INSERT INTO rollcall.log_positions SELECT 0, 9, 9, 'log', 0, 0, now64(), now64(), []`
      await store.writer.command({ query })
      return times(undefined, ['log_positions'])
    }
    await position()
    const before = await position()
    await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.log_positions FINAL' })
    expect([await times(undefined, ['log_positions']), await position()]).toEqual([before, before + 1])
  })

  test('is of the first question of a request for a second, and never longer', async () => {
    let time = 0
    const times = ask(watch({}, { clock: () => time }).memory)
    const request = {}
    expect(await times(request)).toBe(1)
    await rename('Two')
    expect(await times(request)).toBe(1)
    expect(await times({})).toBe(2)
    time += 1_001
    await rename('Three')
    expect(await times(request)).toBe(3)
  })

  testLong('shares one look with the columns of its request, unless it claims more than that look saw', async () => {
    let [lists, time] = [0, 0]
    const list = () => {
      lists++
      return source.list()
    }
    const { memory } = watch({ list }, { clock: () => time++ })
    const size = (request: object) => askHeld(memory, async ({ open }) => open.size, request)
    const request = {}
    expect([await size(request), await size(request), lists]).toEqual([2, 2, 1])
    const read = async () => {
      await deliver('a3')
      return []
    }
    const isClaim = true
    await memory.hold({ text: 'x', of: ['settings'], request, isClaim, read })
    expect([await size(request), await size(request), lists]).toEqual([3, 3, 2])
    const another = {}
    await memory.hold({ text: 'x', of: ['settings'], request: another, isClaim, read })
    expect([await size(another), lists]).toEqual([3, 3])
  })

  test('is asked for again beside the first question after a change, where most pages ask it and somebody has since', async () => {
    const { memory } = watch()
    const asked: string[] = []
    const hold = (text: string, more: object = {}) =>
      memory.hold({ text, of: ['names'], ...more, read: async () => [asked.push(text)] })
    const usual = () => hold('usual', { isUsual: true })
    await usual()
    await hold('rare')
    await rename('Four')
    await hold('first')
    await usual()
    expect(asked.splice(0)).toEqual(['usual', 'rare', 'first', 'usual'])
    for (const name of ['Five', 'Six']) {
      await rename(name)
      await hold('first')
    }
    expect(asked).toEqual(['first', 'usual', 'first'])
  })

  testLong('is none among replicas, without rights, and where the question failed', async () => {
    const list = await source.list()
    const replicas = list.tables.map((each) => ({ ...each, engine: `Replicated${each.engine}` }))
    const denied = Object.assign(new Error('ACCESS_DENIED'), { code: '497' })
    for (const change of [
      { list: async () => ({ ...list, tables: replicas }) },
      { list: async () => ({ ...list, tables: [] }) },
      { list: () => Promise.reject(denied) },
    ]) {
      const times = ask(watch(change).memory)
      expect([await times(), await times()]).toEqual([1, 2])
    }
    const { memory } = watch()
    const away = async () => Promise.reject(new Error('away'))
    await expect(memory.hold({ text: 'x', of: [], read: away })).rejects.toThrow('away')
    expect(await memory.hold({ text: 'x', of: [], read: async () => [1] })).toEqual([1])
  })

  test('follows from tables only: a view among them is named by its own', async () => {
    const { memory } = watch()
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
    await createQueries({ ...reader, audience: () => ({ ...everybody, people }), seenIds: async () => ['7'] }).frame(
      now,
    )
    await queries.overview(now, null)
    await queries.assignments(now, { limit: 9, withTotal: true })
    await queries.overdue(now)
    await queries.person('7', now)
    await queries.reports(now, '7')
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
