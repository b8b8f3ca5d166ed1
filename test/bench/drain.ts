/**
 * How fast a backlog drains into ClickHouse, beside a bare client insert of the same events, and what an event takes on
 * disk. The ways take turns, batch by batch, so that whatever else the machine does falls on all of them.
 * Usage: node test/bench/drain.ts [events=200000] [batch=10000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { prepareRecord } from '../../services/consumer/rows.ts'
import {
  storeBesides,
  storeEventRows,
  storeObservations,
  toObservations,
} from '../../services/consumer/store/store-events.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { readArguments } from './arguments.ts'
import { report } from './report.ts'

const { events, batchSize } = readArguments({ events: 200_000, batchSize: 10_000 })
/** How many assignments live at a time, each with five events in its life. */
const alive = 20_000

const directory = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
const clickhouse = await openEmbeddedClickHouse({ directory })
await migrate(clickhouse.writer)
const consumer = createConsumer({ client: clickhouse.writer })
const inTurn = oneAtATime(await intoCopies(clickhouse.writer, 'bare_in_turn'))
const atOnce = await intoCopies(clickhouse.writer, 'bare_at_once')

const ways: {
  name: string
  store: (records: PositionedRecord[]) => Promise<unknown>
  wallMs: number
  cpuMs: number
}[] = [
  {
    name: 'bare insert, one table after the other',
    async store(records) {
      const prepared = records.map((record) => prepareRecord(record, 0))
      await storeEventRows(inTurn, prepared)
      await storeObservations(inTurn, toObservations(prepared))
      await storeBesides(inTurn, prepared)
    },
    wallMs: 0,
    cpuMs: 0,
  },
  {
    name: 'bare insert, all tables at once',
    store(records) {
      const prepared = records.map((record) => prepareRecord(record, 0))
      return Promise.all([
        storeEventRows(atOnce, prepared),
        storeObservations(atOnce, toObservations(prepared)),
        storeBesides(atOnce, prepared),
      ])
    },
    wallMs: 0,
    cpuMs: 0,
  },
  { name: 'consumer', store: (records) => consumer.handle(toBatch(records)), wallMs: 0, cpuMs: 0 },
]

const memoryMb: number[] = []
for (let start = 0; start < events; start += batchSize) {
  const records = Array.from({ length: Math.min(batchSize, events - start) }, (_, index) =>
    toNth(start + index),
  )
  for (const way of ways) {
    const startedAt = performance.now()
    const cpuBefore = process.cpuUsage()
    await way.store(records)
    const cpu = process.cpuUsage(cpuBefore)
    way.wallMs += performance.now() - startedAt
    way.cpuMs += (cpu.user + cpu.system) / 1000
  }
  memoryMb.push(Math.round(process.memoryUsage().rss / 1e6))
}
const bareMs = ways[0]?.wallMs ?? 0
const drainMs = ways.at(-1)?.wallMs ?? NaN
report({
  what: 'drain, beside a bare insert',
  value: bareMs / drainMs,
  unit: 'x',
  baseline: { what: 'bare insert, events/s', value: (events / bareMs) * 1000 },
  aim: 0.8,
})
const [halfway = NaN, end = NaN] = [memoryMb[Math.floor(memoryMb.length / 2)], memoryMb.at(-1)]
report({
  what: 'memory at the end of the drain',
  value: end,
  unit: 'MB',
  baseline: { what: 'halfway, MB', value: halfway },
})
console.table(
  ways.map(({ name, wallMs, cpuMs }) => ({
    way: name,
    'events/s': Math.round((events / wallMs) * 1000),
    'x bare insert': (bareMs / wallMs).toFixed(2),
    'CPU us/event': Math.round((cpuMs / events) * 1000),
    'cores busy': (cpuMs / wallMs).toFixed(2),
  })),
)
console.log(`memory, MB: ${halfway} halfway, ${end} at the end`)
const answer = await clickhouse.reader.query({
  query: `SELECT table, sum(rows) AS rows, round(sum(bytes_on_disk) / ${events}, 1) AS bytes_per_event
          FROM system.parts WHERE database = 'rollcall' AND active GROUP BY table ORDER BY bytes_per_event DESC`,
  format: 'JSONEachRow',
})
console.table(await answer.json())
await clickhouse.close()
await rm(directory, { recursive: true, force: true })

/** A client whose inserts go to copies of our tables, in a database of their own. */
async function intoCopies(client: ClickHouseClient, database: string): Promise<ClickHouseClient> {
  await client.command({ query: `CREATE DATABASE ${database} ENGINE = Atomic` })
  for (const table of ['event_rows', 'event_bodies', 'failed_event_rows', 'user_observations', 'names']) {
    await client.command({ query: `CREATE TABLE ${database}.${table} AS rollcall.${table}` })
  }
  return new Proxy(client, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown
      if (property !== 'insert') return typeof value === 'function' ? value.bind(target) : value
      return (params: Parameters<ClickHouseClient['insert']>[0]) =>
        target.insert({ ...params, table: params.table.replace('rollcall.', `${database}.`) })
    },
  })
}

/** One insert after the other. */
function oneAtATime(client: ClickHouseClient): ClickHouseClient {
  let last: Promise<unknown> = Promise.resolve()
  return new Proxy(client, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown
      if (property !== 'insert') return typeof value === 'function' ? value.bind(target) : value
      return (params: Parameters<ClickHouseClient['insert']>[0]) => {
        const inserted = last.then(() => target.insert(params))
        last = inserted.catch(() => undefined)
        return inserted
      }
    },
  })
}

/** The n-th event of an endless history: one generation of assignments after another, five events each. */
function toNth(n: number) {
  const generation = Math.floor(n / (alive * 5))
  const step = Math.floor(n / alive) % 5
  const assignment = (n % alive) + generation * alive
  const at = monday + generation * 10 * day + step * day + (n % alive)
  const kind = step === 0 ? 'Created' : step === 4 ? 'Completed' : 'Progress'
  const body = toBody(
    kind,
    `0f3c9a52-7d1e-4b8c-9a64-${String(assignment).padStart(12, '0')}`,
    at,
    {
      challengeId: `challenge-${assignment % 200}`,
      createdAt: monday + generation * 10 * day,
      dueDate: monday + (generation * 10 + 3) * day,
      status:
        step === 0 ? 'not_started' : step < 3 ? 'in_progress' : step === 3 ? 'needs_grading' : 'completed',
      completionPercentage: step * 25,
      isSubmitted: step >= 3,
      isCompleted: step === 4,
      isFullyGraded: step === 4,
      calculatedGrade: step === 4 ? 40 + (assignment % 61) : 0,
      passed: step === 4,
    },
    {
      id: assignment % 5_000,
      name: `Person ${assignment % 5_000}`,
      groups: [{ id: assignment % 40, name: 'Team' }],
    },
  )
  return toRecord(body, n)
}
