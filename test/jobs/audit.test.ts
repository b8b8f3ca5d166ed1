import { afterAll, beforeEach, expect } from 'vitest'
import { createAudit } from '../../services/jobs/audit/audit.ts'
import { toSurplus, withTakeoverAudit } from '../../services/jobs/audit/audit-takeover.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { createDeliveries, toLogRecord } from '../distributed/deliveries.ts'
import { readTables } from '../distributed/tables.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { pickCases, test, testBoth, testLong } from '../support/thorough.ts'

const store = await openTestStore()
const audit = createAudit({ client: store.writer, people: createPeople(store.writer), exclusively: (use) => use() })
const taker = { client: store.writer, audit, isOurs: () => true, afterMs: 1_000, maxRecords: 10_000 }
afterAll(() => store.close())
beforeEach(() => store.clear())

async function fill(): Promise<void> {
  const deliveries = createDeliveries('audit')
  const records = Array.from({ length: 300 }, (_, offset) => ({ ...toLogRecord(deliveries.next()), offset }))
  await createConsumer({ client: store.writer }).handle(toBatch(records))
}

async function findAll() {
  const found = []
  for (let share = 0; share < audit.shares; share++) found.push(await audit.find(share))
  return {
    assignments: found.flatMap(({ assignments }) => assignments).length,
    people: found.flatMap(({ people }) => people).length,
  }
}

async function mendAll(): Promise<void> {
  for (let share = 0; share < audit.shares; share++) {
    expect(await audit.mend(share, await audit.find(share))).toEqual({ assignments: [], people: [] })
  }
}

test('finds nothing in a store that is as it should be', async () => {
  await fill()
  expect(await findAll()).toEqual({ assignments: 0, people: 0 })
})

const wrongs: [name: string, table: string, select: string][] = [
  ['a version that is there twice', 'open_versions', `SELECT * FROM rollcall.open_versions LIMIT 5`],
  ['an earlier version that is there twice', 'closed_versions', `SELECT * FROM rollcall.closed_versions LIMIT 5`],
  [
    'a version that was taken back without another',
    'open_versions',
    `SELECT * REPLACE (-1 AS sign) FROM (SELECT * FROM rollcall.open_versions WHERE sign = 1 LIMIT 5)`,
  ],
  [
    'a state that never was, beside the others',
    'closed_versions',
    `SELECT * REPLACE (img + 1 AS img, toUInt32(state + 1) AS state) FROM rollcall.closed_versions WHERE sign = 1 AND valid_to > valid_from LIMIT 5`,
  ],
  ['a person who is there twice', 'user_versions', `SELECT * FROM rollcall.user_versions LIMIT 5`],
  [
    'a person without a present',
    'user_versions',
    `SELECT * REPLACE (-1 AS sign) FROM rollcall.user_versions WHERE valid_to >= '2200-01-01' LIMIT 5`,
  ],
  ['a link that is there twice', 'link_versions', `SELECT * FROM rollcall.link_versions LIMIT 5`],
]
testBoth.each(pickCases(wrongs, 8))('finds %s, and makes it as it was', async (_, table, select) => {
  await fill()
  const before = await readTables(store.reader)
  await store.writer.command({ query: `INSERT INTO rollcall.${table} ${select}` })
  expect(await readTables(store.reader)).not.toEqual(before)
  const found = await findAll()
  expect(found.assignments + found.people).toBeGreaterThan(0)
  await mendAll()
  expect(await readTables(store.reader)).toEqual(before)
  expect(await findAll()).toEqual({ assignments: 0, people: 0 })
})

testLong('audits the keys in progress once, some time after a partition changed hands', async () => {
  const deliveries = createDeliveries('takeover')
  const records = Array.from({ length: 400 }, (_, offset) => ({ ...toLogRecord(deliveries.next()), offset }))
  const audits: unknown[] = []
  let elapsedMs = 0
  const handler = withTakeoverAudit(createConsumer({ client: store.writer }), {
    ...taker,
    onAudited: (result) => audits.push(result),
    elapsed: () => elapsedMs,
  })
  await handler.resumeFrom(0)
  await handler.handle(toBatch(records.slice(0, 300)))
  const before = await readTables(store.reader)
  const ledger = () => store.rows('SELECT sum(acknowledged) AS n FROM rollcall.ledger')
  // The last writes of a stopped owner arrive only now.
  await store.writer.command({
    query: `INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions LIMIT 5`,
  })
  await store.writer.command({
    query: `INSERT INTO rollcall.log_positions SELECT * REPLACE (200 AS next_offset) FROM rollcall.log_positions`,
  })
  expect(await readTables(store.reader)).not.toEqual(before)

  await handler.caughtUp(0, 300, Date.now())
  expect(audits).toEqual([])
  elapsedMs = 1_000
  await handler.caughtUp(0, 300, Date.now() + 10_000)
  expect(audits).toMatchObject([{ partition: 0, positions: 1 }])
  expect(await readTables(store.reader)).toEqual(before)
  await handler.handle(toBatch(records.slice(300)))
  expect(audits).toHaveLength(1)
  expect(await ledger()).toEqual([{ n: '400' }])
})

testLong('audits what came next as well, for as long as assignments have events in two partitions', async () => {
  const body = (n: number, hour: number) =>
    toBody('Progress', `a${n}`, monday + hour * 3_600_000, { completionPercentage: hour })
  const audits: number[] = []
  let elapsedMs = 0
  const consumer = createConsumer({ client: store.writer })
  const handler = withTakeoverAudit(consumer, {
    ...taker,
    onAudited: ({ assignments }) => audits.push(assignments),
    elapsed: () => elapsedMs,
  })
  await handler.resumeFrom(0)
  await consumer.resumeFrom(1)
  const handle = (offset: number, bodies: Uint8Array[]) =>
    handler.handle(toBatch(bodies.map((each, n) => toRecord(each, offset + n))))
  const elapse = async (next: number) => {
    elapsedMs += 1_000
    await handler.caughtUp(0, next, Date.now())
  }
  // A writer that knows one partition, and another that knows two.
  await handle(0, [body(1, 1), body(2, 1)])
  await consumer.handle(toBatch([toRecord(body(1, 2), 0), toRecord(body(3, 1), 1)], 1))
  await elapse(2)
  expect(audits).toEqual([2])

  await handle(2, [body(3, 2)])
  const before = await readTables(store.reader)
  await store.writer.command({
    query: `INSERT INTO rollcall.open_versions SELECT * FROM rollcall.open_versions WHERE assignment_id = 'a3' AND sign = 1`,
  })
  expect(await readTables(store.reader)).not.toEqual(before)
  await elapse(3)
  expect(audits).toEqual([2, 1])
  expect(await readTables(store.reader)).toEqual(before)

  await handle(3, [body(4, 1)])
  await elapse(4)
  await elapse(4)
  expect(audits).toEqual([2, 1, 1])
})

test('of positions that overlap those are kept that hold the most together', () => {
  const part = (first: number, next: number) => ({ first, next })
  expect(toSurplus([part(0, 100), part(100, 200)])).toEqual([])
  expect(toSurplus([part(0, 120), part(0, 100), part(100, 200), part(200, 300)])).toEqual([part(0, 120)])
  // Offsets of a topic have gaps.
  expect(toSurplus([part(0, 100), part(0, 60), part(63, 100), part(104, 200)])).toHaveLength(2)
  expect(toSurplus([])).toEqual([])
})

test('cancels what two owners recorded, also where the clock of the former one was ahead', async () => {
  await store.clear()
  const at = Date.now() + 300_000
  const row = (first: number, next: number) => ({
    log_partition: 0,
    first_offset: first,
    next_offset: next,
    recorded_at: at,
    complete_through: at,
    ledger: [
      { source: 'main', hour: 3_600, acknowledged: next - first, stored: next - first, duplicate: 0, failed: 0 },
    ],
  })
  const values = [row(0, 100), row(0, 60), row(60, 100)]
  await store.writer.insert({ table: 'rollcall.log_positions', values, format: 'JSONEachRow' })
  const nobody = { resumeFrom: async () => 0, handle: async () => {}, caughtUp: async () => {} }
  const handler = withTakeoverAudit(nobody, { ...taker, afterMs: 0 })
  await handler.resumeFrom(0)
  await handler.caughtUp(0, 100, Date.now())
  expect(await store.rows('SELECT sum(acknowledged) AS n FROM rollcall.ledger')).toEqual([{ n: '100' }])
})
