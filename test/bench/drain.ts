/**
 * How fast a backlog drains into ClickHouse, beside a bare client insert of the same events in the same run, and what an
 * event takes on disk. Usage: node test/bench/drain.ts [events=200000] [batch=10000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { prepareRecord } from '../../services/consumer/rows.ts'
import { storeEvents } from '../../services/consumer/store/store-events.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/records.ts'

const events = Number(process.argv[2] ?? 200_000)
const batchSize = Number(process.argv[3] ?? 10_000)
/** How many assignments live at a time, each with five events in its life. */
const alive = 20_000

const directory = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
const clickhouse = await openEmbeddedClickHouse({ directory })
await migrate(clickhouse.writer)

const bare = await time(async (records) =>
  storeEvents(
    clickhouse.writer,
    records.map((record) => prepareRecord(record, 0)),
  ),
)
for (const table of ['event_rows', 'event_bodies', 'user_observations', 'names']) {
  await clickhouse.writer.command({ query: `TRUNCATE TABLE rollcall.${table}` })
}
const consumer = createConsumer({ client: clickhouse.writer })
const whole = await time((records) => consumer.handle(toBatch(records)))
console.log(`bare insert  ${Math.round(events / bare)} events/s`)
console.log(`consumer     ${Math.round(events / whole)} events/s, ${(bare / whole).toFixed(2)} x bare insert`)
console.log(`memory       ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
const answer = await clickhouse.reader.query({
  query: `SELECT table, sum(rows) AS rows, round(sum(bytes_on_disk) / ${events}, 1) AS bytes_per_event
          FROM system.parts WHERE database = 'rollcall' AND active GROUP BY table ORDER BY bytes_per_event DESC`,
  format: 'JSONEachRow',
})
console.table(await answer.json())
await clickhouse.close()
await rm(directory, { recursive: true, force: true })

async function time(store: (records: ReturnType<typeof toRecord>[]) => Promise<unknown>): Promise<number> {
  let seconds = 0
  for (let start = 0; start < events; start += batchSize) {
    const records = Array.from({ length: Math.min(batchSize, events - start) }, (_, index) => toNth(start + index))
    const startedAt = performance.now()
    await store(records)
    seconds += (performance.now() - startedAt) / 1000
  }
  return seconds
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
      status: step === 0 ? 'not_started' : step < 3 ? 'in_progress' : step === 3 ? 'needs_grading' : 'completed',
      completionPercentage: step * 25,
      isSubmitted: step >= 3,
      isCompleted: step === 4,
      isFullyGraded: step === 4,
      calculatedGrade: step === 4 ? 40 + (assignment % 61) : 0,
      passed: step === 4,
    },
    { id: assignment % 5_000, name: `Person ${assignment % 5_000}`, groups: [{ id: assignment % 40, name: 'Team' }] },
  )
  return toRecord(body, n)
}
