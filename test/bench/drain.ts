/**
 * How fast a backlog drains into ClickHouse, beside a bare client insert of the same events, and what an event takes on
 * disk. The two take turns, batch by batch, so that whatever else the machine does falls on both.
 * Arguments: [events=100000] [batch=10000]
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
import { readNumbers, report, time } from './report.ts'

const [events, batchSize] = readNumbers(100_000, 10_000)
/** How many assignments live at a time, each with five events in its life. */
const alive = 20_000

const directory = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
const clickhouse = await openEmbeddedClickHouse({ directory })
await migrate(clickhouse.writer)
const consumer = createConsumer({ client: clickhouse.writer })
const bare = await intoCopies(clickhouse.writer)

async function storeBare(records: PositionedRecord[]): Promise<void> {
  const prepared = records.map((record) => prepareRecord(record, 0))
  await storeEventRows(bare, prepared)
  await storeObservations(bare, toObservations(prepared))
  await storeBesides(bare, prepared)
}

const ways = [
  { name: 'bare insert', store: storeBare, wallMs: 0, cpuMs: 0 },
  {
    name: 'consumer',
    store: (records: PositionedRecord[]) => consumer.handle(toBatch(records)),
    wallMs: 0,
    cpuMs: 0,
  },
]
const memoryMb: number[] = []
for (let start = 0; start < events; start += batchSize) {
  const records = Array.from({ length: Math.min(batchSize, events - start) }, (_, index) =>
    toNth(start + index),
  )
  for (const way of ways) {
    const before = process.cpuUsage()
    way.wallMs += await time(() => way.store(records))
    const { user, system } = process.cpuUsage(before)
    way.cpuMs += (user + system) / 1_000
  }
  memoryMb.push(process.memoryUsage().rss / 1e6)
}
console.table(
  ways.map(({ name, wallMs, cpuMs }) => ({
    way: name,
    'events/s': Math.round((events / wallMs) * 1_000),
    'CPU us/event': Math.round((cpuMs / events) * 1_000),
    'cores busy': (cpuMs / wallMs).toFixed(2),
  })),
)
const [bareMs = NaN, drainMs = NaN] = ways.map(({ wallMs }) => wallMs)
report({ what: 'drain, beside a bare insert', value: bareMs / drainMs, unit: 'x', aim: 0.8 })
report({
  what: 'memory at the end of the drain',
  value: memoryMb.at(-1) ?? NaN,
  unit: 'MB',
  baseline: { what: 'halfway, MB', value: memoryMb[memoryMb.length >> 1] ?? NaN },
})
const answer = await clickhouse.reader.query({
  query: `SELECT table, sum(rows) AS rows, round(sum(bytes_on_disk) / ${events}, 1) AS bytes_per_event
          FROM system.parts WHERE database = 'rollcall' AND active GROUP BY table ORDER BY bytes_per_event DESC`,
  format: 'JSONEachRow',
})
console.table(await answer.json())
await clickhouse.close()
await rm(directory, { recursive: true, force: true })

/** A client whose inserts go to copies of our tables, in a database of their own. */
async function intoCopies(client: ClickHouseClient): Promise<ClickHouseClient> {
  await client.command({ query: 'CREATE DATABASE bare ENGINE = Atomic' })
  for (const table of ['event_rows', 'event_bodies', 'failed_event_rows', 'user_observations', 'names'])
    await client.command({ query: `CREATE TABLE bare.${table} AS rollcall.${table}` })
  const insert: ClickHouseClient['insert'] = (params) =>
    client.insert({ ...params, table: params.table.replace('rollcall.', 'bare.') })
  return new Proxy(client, {
    get: (target, name) => (name === 'insert' ? insert : Reflect.get(target, name)),
  })
}

/** The n-th event of an endless history: one generation of assignments after another, five events each. */
function toNth(n: number) {
  const generation = Math.floor(n / (alive * 5))
  const step = Math.floor(n / alive) % 5
  const assignment = (n % alive) + generation * alive
  const createdAt = monday + generation * 10 * day
  const person = assignment % 5_000
  const body = toBody(
    step === 0 ? 'Created' : step === 4 ? 'Completed' : 'Progress',
    `0f3c9a52-7d1e-4b8c-9a64-${String(assignment).padStart(12, '0')}`,
    createdAt + step * day + (n % alive),
    {
      challengeId: `challenge-${assignment % 200}`,
      createdAt,
      dueDate: createdAt + 3 * day,
      status: ['not_started', 'in_progress', 'in_progress', 'needs_grading', 'completed'][step],
      completionPercentage: step * 25,
      isSubmitted: step >= 3,
      isCompleted: step === 4,
      isFullyGraded: step === 4,
      calculatedGrade: step === 4 ? 40 + (assignment % 61) : 0,
      passed: step === 4,
    },
    { id: person, name: `Person ${person}`, groups: [{ id: assignment % 40, name: 'Team' }] },
  )
  return toRecord(body, n)
}
