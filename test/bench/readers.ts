/**
 * The cost of readers for the writer: how many events a second the consumer stores while four people ask for the numbers of now in a closed
 * loop, beside nobody asking. The ways take turns, so that whatever else the machine does falls on all of them.
 * Arguments: DIRECTORY [assignments=250000] [perSecond=1000] [rounds=3] [seconds=10]; the directory is one kept by pages.ts.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createBlockReader, holdBlocks, type BlockReader } from '../../reporting/statements/read-blocks.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createScope } from '../model/scope.ts'
import { toBatch, toBody, toRecord } from '../support/data/records.ts'
import { exitIf } from '../support/needs.ts'
import { bigStore, toBigStorePerson } from './big-store.ts'
import { median, quantile, readNumbers } from './report.ts'

const [, assignments, perSecond, rounds, seconds] = readNumbers(0, 250_000, 1_000, 3, 10)
const directory = process.argv[2] ?? ''
exitIf(directory === '' && 'Name a directory that `npm run bench -- pages 250000 21 DIRECTORY` has filled.')
const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
const consumer = createConsumer({ client: clickhouse.writer })
let offset = await consumer.resumeFrom(0)

const memory = createMemory(openSource(clickhouse.reader, clickhouse.streamer), { onError: console.error })
const kept = createBlockReader(ownReader(clickhouse.reader, memory))
const ways: { name: string; read?: BlockReader; stored: number[]; answersMs: number[] }[] = [
  { name: 'nobody asks', stored: [], answersMs: [] },
  { name: 'four ask, from memory', read: kept, stored: [], answersMs: [] },
  { name: 'four ask, from memory, answers shared', read: holdBlocks(kept), stored: [], answersMs: [] },
]
for (let round = 0; round < rounds; round++) {
  for (const { read, stored, answersMs } of ways) {
    const end = performance.now() + seconds * 1_000
    const asking = read === undefined ? [] : [1, 2, 3, 4].map(() => ask(read, end, answersMs))
    stored.push((await feed(end)) / seconds)
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
  const person = 1 + (id % bigStore.users)
  const { teams, ...said } = toBigStorePerson(person)
  const user = { ...said, id: person, groups: teams, email: undefined }
  return toRecord(
    toBody('Progress', `assignment-${id}`, Date.now() - 1, { completionPercentage: offset % 100 }, user),
    offset++,
  )
}

async function ask(read: BlockReader, endMs: number, answersMs: number[]): Promise<void> {
  while (performance.now() < endMs) {
    const startedAt = performance.now()
    const scope = createScope(Date.now(), { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' })
    await read({ scope, detail: 'metrics' })
    answersMs.push(performance.now() - startedAt)
    // An answer that is there already would otherwise be asked for a million times.
    await setTimeout(1)
  }
}
