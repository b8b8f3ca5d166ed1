/**
 * Columns in memory beside the statement, on a store kept by store.ts: how long each answer takes, wall ms, least of the rounds in turn, and
 * the longest pause of the main thread meanwhile, ms of its processor time: `node --expose-gc test/bench/columns.ts DIRECTORY [rounds=7]`.
 */
import { setTimeout } from 'node:timers/promises'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { day } from '../support/data/records.ts'
import { readArguments } from './arguments.ts'
import { bigStore } from './big-store.ts'
import { time } from './report.ts'

const { directory, rounds } = readArguments({ directory: '', rounds: 7 })
const clickhouse = await openEmbeddedClickHouse({ directory })
const memory = createMemory(openSource(clickhouse.reader, clickhouse.streamer), { onError: console.error })
/** In processor time, so that other work of the machine is not in it. */
let [longestMs, lastMs] = [0, 0]
const cpuMs = () => (process.threadCpuUsage().user + process.threadCpuUsage().system) / 1_000
setInterval(() => {
  longestMs = Math.max(longestMs, cpuMs() - lastMs)
  lastMs = cpuMs()
}, 1).unref()
const pauseMs = () => {
  const longest = longestMs
  longestMs = 0
  return longest.toFixed(0)
}

gc()
const before = process.memoryUsage()
const startedAt = performance.now()
await setTimeout(5)
pauseMs()
while ((await memory.askHeld(async () => true)) === undefined) await setTimeout(5)
const took = performance.now() - startedAt
const pause = pauseMs()
gc()
const after = process.memoryUsage()
const versions = (await memory.askHeld(async ({ open, closed }) => open.size + closed.size))?.answer
const bytes = after.arrayBuffers - before.arrayBuffers + after.heapUsed - before.heapUsed
console.log(
  `loaded ${versions} versions in ${took.toFixed(0)} ms, ${(bytes / 1e6).toFixed(0)} MB, longest pause ${pause} ms`,
)

const plain = createScope(bigStore.now, { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' })
const scopes: Record<string, Scope> = {
  now: plain,
  'one challenge': { ...plain, challenge: ['challenge-7'] },
  'one team': { ...plain, team: ['team-7'] },
  'assigned in 90 days': { ...plain, assignedFrom: '2026-03-03' },
  overdue: { ...plain, fact: ['overdue'] },
  'a month ago': { ...plain, asOf: plain.asOf - 30 * day },
  'due at an instant': { ...plain, dueEnd: 'instant' },
}
const [held, stored] = [memory, undefined].map((own) => createQueries(ownReader(clickhouse.reader, own)))
type Ask = (queries: typeof held & object, scope: Scope) => Promise<unknown>
const questions: Record<string, Ask> = {
  metrics: (queries, scope) => queries.metrics(scope),
  overview: (queries, scope) => queries.overview(scope, null),
  challenges: (queries, scope) => queries.groups(scope, 'challenge'),
  teams: (queries, scope) => queries.groups(scope, 'team'),
}
for (const [question, ask] of Object.entries(questions)) {
  for (const [name, scope] of Object.entries(scopes)) {
    const least = { memory: Infinity, statement: Infinity }
    let longest = 0
    for (let round = 0; round < rounds; round++) {
      await setTimeout(20)
      pauseMs()
      least.memory = Math.min(least.memory, await time(() => ask(held!, scope)))
      const own = Number(pauseMs())
      if (round > 0) longest = Math.max(longest, own)
      least.statement = Math.min(least.statement, await time(() => ask(stored!, scope)))
    }
    console.log(
      `${question}, ${name}: ${least.memory.toFixed(0)} ms, statement ${least.statement.toFixed(0)}, longest pause ${longest} ms`,
    )
  }
}
await clickhouse.close()

function gc(): void {
  ;(globalThis as { gc?: () => void }).gc?.()
}
