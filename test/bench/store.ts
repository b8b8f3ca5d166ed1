/**
 * How long metrics, pages and rows take over a big store: `node test/bench/store.ts [assignments] [directory] [arriving] [rounds]`,
 * for example 250000 (one million events), 2500000 (ten million) or 25000000. The store is made once and kept if a directory is named.
 * With `arriving`, so many events a second are stored meanwhile, by the consumer, about assignments picked at random. Each question
 * is asked 21 times, or as many `rounds`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { day, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { readArguments } from './arguments.ts'
import { bigStore, makeBigStore, toBigStorePerson } from './big-store.ts'
import { report } from './report.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const defaults = { assignments: 250_000, directory: '', arriving: 0, rounds: 21 }
const { assignments, directory: kept, arriving: arrivingPerSecond, rounds } = readArguments(defaults)
const directory = kept || (await mkdtemp(join(tmpdir(), 'rollcall-bench-')))
/** Between two questions while events arrive: several readers, but none that asks again in the moment it is answered. */
const pauseMs = arrivingPerSecond > 0 ? 1_000 : 0
const { now, users } = bigStore
let offset = 0

const clickhouse = await openEmbeddedClickHouse({ directory })
try {
  await migrate(clickhouse.writer)
  const [made] = await rows<{ n: string }>('SELECT count() AS n FROM rollcall.open_versions')
  if (Number(made?.n) === 0) await makeBigStore(clickhouse.writer, assignments)
  const [sizes] = await rows<{ events: string; bytes: string }>(
    `SELECT sum(rows) AS events, (SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'rollcall') AS bytes
     FROM system.parts WHERE active AND database = 'rollcall' AND table = 'event_rows'`,
  )
  const bytes = Number(sizes?.bytes) / Number(sizes?.events)
  report({ what: 'storage, all tables', value: bytes, unit: 'B per event', aim: 130 })
  console.log(
    `${assignments} assignments, ${sizes?.events} events, ${bytes.toFixed(0)} B per event, all tables`,
  )
  if (arrivingPerSecond > 0) await measureWhileArriving()
  else await measure()
} finally {
  await clickhouse.close()
  if (kept === '') await rm(directory, { recursive: true, force: true })
}

function toUser(id: number) {
  const { teams, ...person } = toBigStorePerson(id)
  return { ...person, id, groups: teams, email: undefined }
}

async function rows<Row>(query: string): Promise<Row[]> {
  return (await clickhouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
}

function toNext(stored: number): PositionedRecord {
  const id = Math.floor(Math.random() * assignments)
  const createdAt = now - ((id * 7_919) % 34_560_000) * 1_000
  const fields = { createdAt, dueDate: createdAt + 14 * day, completionPercentage: stored % 100 }
  return toRecord(
    toBody('Progress', `assignment-${id}`, now + stored, fields, toUser(1 + (id % users))),
    offset++,
  )
}

async function storeSome(): Promise<void> {
  const consumer = createConsumer({ client: clickhouse.writer })
  offset = await consumer.resumeFrom(0)
  await consumer.handle(toBatch(Array.from({ length: 10 }, (_, index) => toNext(index - 3_600_000))))
}

/** As the log's reader would hand them over: what has arrived since the last batch, at most every 400 ms. */
async function measureWhileArriving(): Promise<void> {
  const consumer = createConsumer({ client: clickhouse.writer })
  offset = await consumer.resumeFrom(0)
  let isMeasured = false
  let stored = 0
  let slowestMs = 0
  const startedAt = performance.now()
  const feed = async () => {
    while (!isMeasured) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * arrivingPerSecond) - stored
      const records = Array.from({ length: Math.min(due, 10_000) }, () => toNext(stored++))
      const batchStartedAt = performance.now()
      if (records.length > 0) await consumer.handle(toBatch(records))
      const tookMs = performance.now() - batchStartedAt
      slowestMs = Math.max(slowestMs, tookMs)
      await setTimeout(Math.max(0, 400 - tookMs))
    }
  }
  const feeding = feed()
  await measure()
  isMeasured = true
  await feeding
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(
    `meanwhile ${(stored / seconds).toFixed(0)} events a second of ${arrivingPerSecond}, slowest batch ${slowestMs.toFixed(0)} ms`,
  )
}

async function measure(): Promise<void> {
  const zones = { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' }
  const memory = createMemory(openSource(clickhouse.reader, clickhouse.streamer), { onError: console.error })
  const queries = createQueries(ownReader(clickhouse.reader, memory))
  const anew = createQueries(ownReader(clickhouse.reader))
  const scope: Scope = {
    asOf: now,
    now,
    ...zones,
    dueEnd: 'end_of_day',
    period: 'week',
    dueSoonDays: 7,
    includeLeavers: false,
    challenge: [],
    team: [],
    manager: [],
    user: [],
    attribute: [],
    status: [],
    fact: [],
    aging: [],
  }
  const monthAgo = { ...scope, asOf: now - 30 * day }
  const page = { limit: 100, withTotal: true }
  // A large store is read while it answers itself, the largest never.
  const giveUpAt = performance.now() + 60_000
  while ((await memory.askHeld(async () => true)) === undefined && performance.now() < giveUpAt)
    await setTimeout(100)
  await time('metrics', () => queries.metrics(scope))
  if (arrivingPerSecond === 0)
    await time('metrics, after 10 new events', () => queries.metrics(scope), storeSome)
  await time('metrics, by the statement', () => anew.metrics(scope))
  await time('metrics, one challenge', () => queries.metrics({ ...scope, challenge: ['challenge-7'] }))
  await time('metrics, one team', () => queries.metrics({ ...scope, team: ['team-7'] }))
  await time('metrics, 90 days', () => queries.metrics({ ...scope, assignedFrom: '2026-03-03' }))
  await time('metrics, a month ago', () => queries.metrics(monthAgo))
  await time('overview', () => queries.overview(scope, null))
  await time('overview, by the statement', () => anew.overview(scope, null))
  await time('overview, compared', () => queries.overview(scope, monthAgo))
  await time('100 rows of all', () => queries.assignments(scope, page))
  await time('100 overdue rows', () => queries.assignments({ ...scope, fact: ['overdue'] }, page))
  await time('100 learners', () => readPeople(queries, scope, 100))
  await time('overdue page', () => queries.overdue(scope))
  await time('grading page', () => queries.grading(scope))
  await time('challenges', () => queries.groups(scope, 'challenge'))
  await measurePages(queries, scope)
}

const readPeople = async (queries: Queries, scope: Scope, limit: number) =>
  queries.learners(scope, await queries.learnerCounts(scope), { offset: 0, limit })

/** Times of the statements of each page; those that a page asks at once are asked at once. */
async function measurePages(queries: Queries, scope: Scope): Promise<void> {
  const weekAgo = { ...scope, asOf: now - 7 * day }
  const challenge = { ...scope, challenge: ['challenge-7'] }
  const isFirst = { offset: 0, limit: 50 }
  await time('frame', () => queries.frame(scope))
  await time('changes, counts', () => queries.changeCounts(weekAgo, scope))
  await time('changes, 50 rows', () => queries.changes(weekAgo, scope, { limit: 50 }))
  await time('overdue', () => queries.overdue(scope))
  await time('grading', () => queries.grading(scope))
  await time('grading, queue', () => queries.gradingQueue(scope, isFirst))
  await time('learners', () => readPeople(queries, scope, 50))
  await time('challenges', () => queries.groups(scope, 'challenge'))
  await time('teams', () => queries.groups(scope, 'team'))
  await time('managers', () => queries.managers(scope))
  await time('days to complete, one challenge', () => queries.daysToComplete(challenge))
  await time('overview, one challenge', () => queries.overview(challenge, null))
}

/** `before` each round is not measured. */
async function time(
  name: string,
  work: () => Promise<unknown>,
  before = () => setTimeout(pauseMs),
): Promise<void> {
  await work()
  const took: number[] = []
  let cpuMs = 0
  for (let round = 0; round < rounds; round++) {
    await before()
    const startedAt = performance.now()
    const cpuBefore = process.cpuUsage()
    await work()
    took.push(performance.now() - startedAt)
    // The engine runs in this process. While events arrive, their cost is in it, too.
    const cpu = process.cpuUsage(cpuBefore)
    cpuMs += (cpu.user + cpu.system) / 1_000 / rounds
  }
  took.sort((a, b) => a - b)
  const p95 = took[Math.floor(rounds * 0.95)] ?? NaN
  report({ what: `${name}, ${assignments} assignments, p95`, value: p95, unit: 'ms', aim: 300 })
  console.log(
    `${name.padEnd(28)} p50 ${took[Math.floor(rounds / 2)]?.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, processor ${cpuMs.toFixed(0)} ms`,
  )
}
