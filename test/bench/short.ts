/**
 * Gross regressions, in under two minutes on a busy machine: processor time beside a baseline of the same run, versions in turn, the least
 * of some rounds. Ends with 1 where a ratio is above its limit, which lies far above what was measured. `npm run bench:short`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { readBlocks } from '../../reporting/statements/read-blocks.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { prepareRecord } from '../../services/consumer/rows.ts'
import { storeBesides, storeEventRows } from '../../services/consumer/store/store-events.ts'
import { createScope } from '../model/scope.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { bigStore, makeBigStore } from './big-store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

type Way = () => unknown
/** `limit`: the most that `subject` may cost, as a multiple of `baseline`. */
type Pair = { what: string; subject: Way; baseline: Way; limit: number; rounds: number }

const directory = await mkdtemp(join(tmpdir(), 'rollcall-short-'))
const clickhouse = await openEmbeddedClickHouse({ directory })
let offset = 0
let failed = false

try {
  await migrate(clickhouse.writer)
  const scope = createScope(bigStore.now, { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' })
  const metrics = () => readBlocks(ownReader(clickhouse.reader), scope, 'metrics')
  const oneView = async () => {
    const at = `as_of = fromUnixTimestamp64Milli(${bigStore.now}), due_zone = 'Europe/Berlin', due_end = 'end_of_day', due_soon_days = 7`
    const query = `SELECT effective_status, count() FROM rollcall.assignments_as_of(${at}) GROUP BY effective_status`
    await (await clickhouse.reader.query({ query })).text()
  }
  // With no rows, all the time is planning.
  await compare({
    what: 'planning of metrics / of one view',
    subject: metrics,
    baseline: oneView,
    limit: 2.8,
    rounds: 5,
  })
  await makeBigStore(clickhouse.writer, 50_000)
  await compare({ what: 'metrics / by the view', subject: metrics, baseline: oneView, limit: 3.2, rounds: 5 })
  await compare({
    what: 'overview / by the view',
    subject: () => readBlocks(ownReader(clickhouse.reader), scope, 'overview'),
    baseline: oneView,
    limit: 4.8,
    rounds: 5,
  })
  const memory = createMemory(openSource(clickhouse.reader, clickhouse.streamer))
  await compare({
    what: 'metrics from memory / by the statement',
    subject: () => readBlocks(ownReader(clickhouse.reader, memory), scope, 'metrics'),
    baseline: metrics,
    // Twice the measured one, as the others.
    limit: 0.9,
    rounds: 5,
  })
  const consumer = createConsumer({ client: clickhouse.writer })
  await compare({
    what: 'storing a batch / inserting its events',
    subject: () => consumer.handle(toBatch(toRecords())),
    baseline: async () => {
      const prepared = toRecords().map((record) => prepareRecord(record, 1))
      await storeEventRows(clickhouse.writer, prepared)
      await storeBesides(clickhouse.writer, prepared)
    },
    limit: 8,
    rounds: 4,
  })
  const body = toBody('Progress', 'a', monday)
  const record = toRecord(body, 0)
  const times = (use: Way) => () => {
    for (let n = 0; n < 5_000; n++) use()
  }
  await compare({
    what: 'a delivery to rows / JSON.parse',
    subject: times(() => prepareRecord(record, 0)),
    baseline: times(() => JSON.parse(Buffer.from(body).toString()) as unknown),
    limit: 12,
    rounds: 5,
  })
} finally {
  await clickhouse.close()
  await rm(directory, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function compare({ what, subject, baseline, limit, rounds }: Pair): Promise<void> {
  const least = { subject: Infinity, baseline: Infinity }
  await subject()
  await baseline()
  for (let round = 0; round < rounds; round++) {
    least.subject = Math.min(least.subject, await cpuMs(subject))
    least.baseline = Math.min(least.baseline, await cpuMs(baseline))
  }
  const ratio = least.subject / least.baseline
  const isOver = ratio > limit
  failed ||= isOver
  const figures = `${least.subject.toFixed(0)} / ${least.baseline.toFixed(0)} ms`
  console.log(`${isOver ? 'TOO MUCH' : 'ok'}  ${what}: ${ratio.toFixed(2)} (${figures}), at most ${limit}`)
}

/** The time of the whole process: the engine works on threads of its own. */
async function cpuMs(use: Way): Promise<number> {
  const before = process.cpuUsage()
  await use()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Two thousand events of as many assignments that were not there before. */
function toRecords() {
  return Array.from({ length: 2_000 }, () => {
    const at = offset++
    const fields = { challengeId: `challenge-${at % 200}`, dueDate: monday + 14 * day }
    return toRecord(toBody('Created', `short-${at}`, monday + at, fields, { id: at % 500 }), at)
  })
}
