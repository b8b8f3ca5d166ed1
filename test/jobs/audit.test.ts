import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createAudit, createAuditJob, createTakeovers, toSurplus } from '../../services/jobs/audit/audit.ts'
import { openJobs } from '../../services/jobs/open-jobs.ts'
import { createConsumer, PartitionLostError } from '../../services/consumer/consumer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { createDeliveries, toLogRecord } from '../distributed/deliveries.ts'
import { readTables } from '../distributed/tables.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { pick } from '../support/tiers.ts'
import { until } from '../support/wait.ts'

const store = await openTestStore()
const audit = createAudit({
  client: store.writer,
  people: createPeople(store.writer),
  exclusively: (use) => use(),
})
const minute = 60_000
const leaseMs = 2 * minute
afterAll(() => store.close())
beforeEach(() => store.clear())

const deliveries = createDeliveries('audit', { assignments: 40, people: 12 })
const records = Array.from({ length: 90 }, (_, offset) => ({ ...toLogRecord(deliveries.next()), offset }))
const right = { assignments: 0, people: 0 }

async function findAll() {
  const found = []
  for (const share of await audit.shares()) found.push(await audit.find(share))
  return {
    assignments: found.flatMap(({ assignments }) => assignments).length,
    people: found.flatMap(({ people }) => people).length,
  }
}

async function mendAll(): Promise<void> {
  for (const share of await audit.shares()) {
    expect(await audit.mend(share, await audit.find(share))).toEqual({ assignments: [], people: [] })
  }
}

const wrongs: [name: string, table: string, select: string][] = [
  ['a version that is there twice', 'open_versions', `SELECT * FROM rollcall.open_versions LIMIT 5`],
  [
    'an earlier version that is there twice',
    'closed_versions',
    `SELECT * FROM rollcall.closed_versions LIMIT 5`,
  ],
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
test('finds nothing in a store that is right, and what is wrong, which it makes as it was', async () => {
  await createConsumer({ client: store.writer }).handle(toBatch(records))
  const before = await readTables(store.reader)
  expect(await findAll()).toEqual(right)
  for (const [name, table, select] of pick(wrongs, 2)) {
    await store.writer.command({ query: `INSERT INTO rollcall.${table} ${select}` })
    const { assignments, people } = await findAll()
    expect([name, assignments + people > 0]).toEqual([name, true])
    await mendAll()
    expect([name, await readTables(store.reader)]).toEqual([name, before])
    expect(await findAll()).toEqual(right)
  }
})

/** The audit as a consumer of several runs it, on a clock that the test sets. It has just run. */
async function openScheduledAudit() {
  const clock = {
    at: Date.UTC(2026, 8, 1, 12, 18),
    turns: 0,
    now: () => clock.at,
    sleep(ms: number, signal?: AbortSignal) {
      clock.turns++
      return sleep(Math.min(ms, 20), undefined, { signal })
    },
  }
  const takeovers = createTakeovers(leaseMs, clock.now)
  const registry = new Registry()
  const jobs = openJobs({
    client: store.writer,
    jobs: [createAuditJob(audit, { takeovers, betweenLooksMs: 0 })],
    isRunner: () => true,
    timeZone: 'UTC',
    logger: pino({ level: 'silent' }),
    registry,
    clock,
  })
  onTestFinished(() => jobs.close())
  const countRuns = async () =>
    Number(/outcome="succeeded",code=""} (\d+)/.exec(await registry.metrics())?.[1] ?? 0)
  await until(countRuns)
  return {
    takeovers,
    now: clock.now,
    /** Resolves to how often the audit has run meanwhile. */
    async pass(ms: number): Promise<number> {
      const before = await countRuns()
      clock.at += ms
      const { turns } = clock
      await until(async () => clock.turns > turns + 1 && !/job_running.* 1$/m.test(await registry.metrics()))
      return (await countRuns()) - before
    },
  }
}

/** The client of a consumer that is stopped at its first insert into a table, which is on its way. */
function stoppedAt(table: string) {
  const stopped = Promise.withResolvers<void>()
  const wakes = Promise.withResolvers<void>()
  let isFirst = true
  const client = new Proxy(store.writer, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown
      if (property !== 'insert') return value
      return async (params: { table: string }) => {
        if (isFirst && params.table.endsWith(table)) {
          isFirst = false
          stopped.resolve()
          await wakes.promise
        }
        return (value as ClickHouseClient['insert']).call(target, params as never)
      }
    },
  })
  return { client, stopped: stopped.promise, wakes }
}

const steps = [
  'event_rows',
  'user_versions',
  'link_versions',
  'closed_versions',
  'open_versions',
  'log_positions',
]
test.each(pick(steps, 3, 1))(
  'a consumer stopped for ten minutes at an insert into %s leaves nothing doubled an hour later',
  async (table) => {
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    const expected = await readTables(store.reader)
    await store.clear()

    const { takeovers, pass, now } = await openScheduledAudit()
    const { client, stopped, wakes } = stoppedAt(table)
    let isStale = false
    const former = createConsumer({ client, now })
    const handling = former.handle({ ...toBatch(records.slice(0, 60)), isStale: () => isStale })
    await stopped
    isStale = true
    await pass(minute)
    takeovers.note()
    const next = createConsumer({ client: store.writer, now })
    expect(await next.resumeFrom(0)).toBe(0)
    await next.handle(toBatch(records.slice(0, 45)))
    await next.handle(toBatch(records.slice(45)))
    expect(await pass(leaseMs)).toBe(1)
    expect(await readTables(store.reader)).toEqual(expected)

    await pass(7 * minute)
    wakes.resolve()
    await handling.catch((error: unknown) => expect(error).toBeInstanceOf(PartitionLostError))
    expect(await pass(60 * minute)).toBe(1)
    expect(await readTables(store.reader)).toEqual(expected)
    expect(await store.rows('SELECT given, difference FROM rollcall.ledger_total')).toEqual([
      { given: '90', difference: '0' },
    ])
  },
)

test('folds again what was stored around takeovers once the leases of the last have ended, and nothing else', async () => {
  const { takeovers, pass, now } = await openScheduledAudit()
  const consumer = createConsumer({ client: store.writer, now })
  const toRecords = (id: string, offset: number) => [toRecord(toBody('Created', id, monday), offset)]
  await consumer.handle(toBatch(toRecords('before', 0)))
  await pass(10 * minute)
  takeovers.note()
  await consumer.handle(toBatch(toRecords('around', 1)))
  // A state that looks possible and that nobody has sent.
  const insert = (change: string) =>
    store.writer.command({
      query: `INSERT INTO rollcall.open_versions SELECT * REPLACE (${change}) FROM rollcall.open_versions AS held WHERE held.status != 'failed'`,
    })
  await insert(`'failed' AS status, img + 1 AS img`)
  await insert('-1 AS sign')
  const readStatus = () =>
    store.rows(`SELECT assignment_id AS id, status FROM rollcall.open_versions
      GROUP BY ALL HAVING sum(sign) != 0 ORDER BY id`)
  expect(await pass(leaseMs - 1)).toBe(0)
  takeovers.note()
  expect(await pass(leaseMs - 1)).toBe(0)
  expect(await readStatus()).toMatchObject([{ status: 'failed' }, { status: 'failed' }])
  expect(await pass(1)).toBe(1)
  expect(await readStatus()).toEqual([
    { id: 'around', status: 'not_started' },
    { id: 'before', status: 'failed' },
  ])
  expect(await pass(minute)).toBe(0)
})

test('of positions that overlap those are kept that hold the most together', () => {
  const part = (first_offset: number, next_offset: number) => ({ first_offset, next_offset })
  expect(toSurplus([part(0, 100), part(100, 200)])).toEqual([])
  expect(toSurplus([part(0, 120), part(0, 100), part(100, 200), part(200, 300)])).toEqual([part(0, 120)])
  // Offsets of a topic have gaps.
  expect(toSurplus([part(0, 100), part(0, 60), part(63, 100), part(104, 200)])).toHaveLength(2)
  expect(toSurplus([])).toEqual([])
})
