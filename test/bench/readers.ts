/**
 * The cost of readers for the writer: how many events a second the consumer stores while four people ask for the numbers of now in a closed
 * loop, beside nobody asking. The ways take turns, so that whatever else the machine does falls on all of them.
 * Usage: node test/bench/readers.ts DIRECTORY [assignments=250000] [perSecond=1000] [rounds=3] [seconds=10]; the directory is one kept by
 * store.ts.
 */
import { setTimeout } from 'node:timers/promises'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createBlockReader, holdBlocks, type BlockReader } from '../../reporting/statements/read-blocks.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createScope } from '../model/scope.ts'
import { day, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { readArguments } from './arguments.ts'
import { quantile, median } from './report.ts'

const defaults = { directory: '', assignments: 250_000, perSecond: 1_000, rounds: 3, seconds: 10 }
const { directory, assignments, perSecond, rounds, seconds } = readArguments(defaults)
const readers = 4
const users = 50_000
const now = Date.UTC(2026, 5, 1, 12)

const clickhouse = await openEmbeddedClickHouse({ directory })
await migrate(clickhouse.writer)
const consumer = createConsumer({ client: clickhouse.writer })
let offset = await consumer.resumeFrom(0)
let said = 0

const own = createBlockReader(ownReader(clickhouse.reader))
const memory = createMemory(openSource(clickhouse.reader, clickhouse.streamer), { onError: console.error })
const kept = createBlockReader(ownReader(clickhouse.reader, memory))
const ways: { name: string; read: BlockReader | undefined; stored: number[]; answersMs: number[] }[] = [
  { name: 'nobody asks', read: undefined, stored: [], answersMs: [] },
  { name: 'four ask, each reads', read: own, stored: [], answersMs: [] },
  { name: 'four ask, from memory', read: kept, stored: [], answersMs: [] },
  { name: 'four ask, from memory, answers shared', read: holdBlocks(kept), stored: [], answersMs: [] },
]
for (let round = 0; round < rounds; round++) {
  for (const way of ways) {
    const end = performance.now() + seconds * 1_000
    const asking = Array.from({ length: way.read === undefined ? 0 : readers }, () =>
      ask(way.read ?? own, end, way.answersMs),
    )
    way.stored.push((await feed(end)) / seconds)
    await Promise.all(asking)
  }
}
const alone = median(ways[0]?.stored ?? [])
console.table(
  ways.map(({ name, stored, answersMs }) => ({
    way: name,
    'events/s': Math.round(median(stored)),
    'x nobody asks': (median(stored) / alone).toFixed(2),
    'p50 ms': Math.round(quantile(answersMs, 0.5)),
    'p95 ms': Math.round(quantile(answersMs, 0.95)),
  })),
)
await clickhouse.close()

/** As the log's reader would hand them over: what has arrived since the last batch. Gives how many were stored by the end. */
async function feed(endMs: number): Promise<number> {
  const startedAt = performance.now()
  let stored = 0
  while (performance.now() < endMs) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) - stored
    const records = Array.from({ length: Math.min(due, 10_000) }, toNext)
    const batchAt = performance.now()
    if (records.length > 0) await consumer.handle(toBatch(records))
    if (performance.now() <= endMs) stored += records.length
    await setTimeout(Math.max(0, 400 - (performance.now() - batchAt)))
  }
  return stored
}

function toNext() {
  const id = Math.floor(Math.random() * assignments)
  const createdAt = now - ((id * 7_919) % 34_560_000) * 1_000
  const fields = { createdAt, dueDate: createdAt + 14 * day, completionPercentage: said++ % 100 }
  const person = 1 + (id % users)
  const user = {
    id: person,
    isDeleted: person % 25 === 0,
    groups: [{ id: `team-${person % 200}` }],
    name: 'Somebody',
    email: undefined,
  }
  return toRecord(
    toBody('Progress', `assignment-${id}`, now - 3_600_000 + (said % 3_000_000), fields, user),
    offset++,
  )
}

async function ask(read: BlockReader, endMs: number, answersMs: number[]): Promise<void> {
  while (performance.now() < endMs) {
    const startedAt = performance.now()
    await read({
      scope: createScope(now, { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' }),
      detail: 'metrics',
    })
    answersMs.push(performance.now() - startedAt)
    // An answer that is there already would otherwise be asked for a million times.
    await setTimeout(1)
  }
}
