/**
 * Every question of the reports, of 40 scopes in four zones and of three readers, on a generated store: a hash of each answer and one of
 * each statement's text stand in `golden.json`, so that a change of the read path shows what else it changes. Answers are a promise; texts
 * are not, and change with their statements. To write them anew:
 * ROLLCALL_GOLDEN=write npx vitest run --project thorough test/reporting/golden
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AudienceError, everybody, type Audience } from '../../../reporting/audience/audience.ts'
import { readFor } from '../../../reporting/audience/read-for.ts'
import { createMemory, type FollowedMemory } from '../../../reporting/columns/memory.ts'
import { openSource } from '../../../reporting/columns/source.ts'
import { createQueries, type Queries } from '../../../reporting/queries/queries.ts'
import { rowSorts } from '../../../reporting/queries/row-order.ts'
import { historyArb } from '../../model/arbitrary/history.ts'
import { scopeArb } from '../../model/arbitrary/scope.ts'
import { setApart, setScopeApart } from '../../model/arbitrary/apart.ts'
import type { Scope } from '../../model/scope.ts'
import { loadHistory } from '../../support/data/history.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { isThorough, pickCases } from '../../support/thorough.ts'

const seed = 26
const histories = 40
const scopes = 40
/** West of Greenwich, too: there the day of an unknown date is the last one of all. */
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']
const dayMs = 86_400_000

const readers: Record<string, Audience> = {
  everybody,
  manager: { ...everybody, people: { under: ['1', '1001', '2002'], teams: ['t1', 't2.1'], teamsOf: [] } },
  nameless: { ...everybody, names: false },
}

const path = join(import.meta.dirname, 'golden.json')
/** By reader and question: eight digits a scope. */
type Golden = Record<'answers' | 'texts', Record<string, string>>
const isWriting = process.env['ROLLCALL_GOLDEN'] === 'write'

let store: TestStore
let statements: string[] = []
/** By reader, by the statement and from columns in memory. */
const queriesOf: Record<string, Record<'statement' | 'memory', Queries>> = {}
let memory: FollowedMemory
beforeAll(async () => {
  store = await openTestStore({ keepsAnswers: true })
  const all = fc.sample(historyArb({ maxEvents: 24 }), { numRuns: histories, seed }).map(setApart)
  await loadHistory(
    store.writer,
    { deliveries: all.flatMap((each) => each.deliveries), pulledUsers: all.flatMap((each) => each.pulledUsers) },
    150,
  )
  memory = createMemory(openSource(store.reader, store.streamer))
  for (const [name, audience] of Object.entries(readers)) {
    const create = (own?: FollowedMemory) => {
      const options = { audience: () => audience, memory: own, clock: () => Date.UTC(2026, 3, 8, 22) }
      const streamer = readFor(recorded(store.streamer), options)
      return createQueries(readFor(recorded(store.reader), options), { streamer })
    }
    queriesOf[name] = { statement: create(), memory: create(memory) }
  }
})
afterAll(() => store.close())

function recorded(client: ClickHouseClient): ClickHouseClient {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (property !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      return (params: Parameters<ClickHouseClient['query']>[0]) => {
        statements.push(toText([toCode(params.query), params.query_params]))
        return target.query(params)
      }
    },
  })
}

/** Without comments and the breaks of lines. */
const toCode = (sql: string) => sql.replaceAll(/^\s*--.*$/gm, '').replaceAll(/\s+/g, ' ')

const asked = fc
  .sample(fc.tuple(fc.nat({ max: histories - 1 }), scopeArb()), { numRuns: scopes, seed })
  .map(([at, scope], number): Scope => ({
    ...setScopeApart(scope, at),
    timeZone: zones[number % 4] as string,
    dueZone: zones[(number >> 2) % 4] as string,
  }))

const questions: Record<string, (queries: Queries, scope: Scope, number: number) => Promise<unknown>> = {
  metrics: (queries, scope) => queries.metrics(scope),
  overview: (queries, scope, number) =>
    queries.overview(scope, number % 2 === 0 ? null : { ...scope, asOf: scope.asOf - 30 * dayMs }),
  facts: (queries, scope) => queries.facts(scope),
  challenges: (queries, scope) => queries.groups(scope, 'challenge'),
  teams: (queries, scope) => queries.groups(scope, 'team'),
  managers: (queries, scope, number) => queries.managers(scope, number % 2 === 0 ? undefined : 1),
  reports: (queries, scope, number) => queries.reports(scope, String(1 + 1_000 * (number % 4))),
  rows: async (queries, scope, number) => {
    const order = { by: rowSorts[number % rowSorts.length] ?? 'created', descending: number % 4 < 2 }
    const first = await queries.assignments(scope, { order, limit: 7, withTotal: true })
    const next = await queries.assignments(scope, { order, cursor: first.next, limit: 7, withTotal: true })
    const back = await queries.assignments(scope, {
      order,
      cursor: next.previous,
      limit: 7,
      withTotal: true,
      backwards: true,
    })
    return [first, next, back]
  },
  export: async (queries, scope) => {
    const rows = []
    for await (const page of await queries.allAssignments(scope)) rows.push(...page)
    return rows
  },
  learners: (queries, scope) => queries.learners(scope, { search: '', only: null, cursor: null, limit: 20 }),
  changes: (queries, scope) =>
    queries.changes({ ...scope, asOf: scope.asOf - 9 * dayMs }, scope, { after: '0', limit: 50 }),
  changeCounts: (queries, scope) => queries.changeCounts({ ...scope, asOf: scope.asOf - 9 * dayMs }, scope),
  waits: (queries, scope) => queries.waits(scope),
  overdue: (queries, scope) => queries.overdue(scope),
  grading: (queries, scope) => queries.grading(scope),
  gradingQueue: (queries, scope) => queries.gradingQueue(scope, { after: null, limit: 20 }),
  leaders: (queries, scope) => queries.leaders(scope, 10),
}

/** Sums of fractions may differ in the last digits by their order, and lists without an order by how they were found. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return String(each)
    if (typeof each === 'number') return Number(each.toPrecision(11))
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Questions whose lines have no order of their own. */
const unordered = ['facts', 'challenges', 'teams', 'managers', 'reports']
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => toText(sorted(each))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sorted(each)]))
}

const golden = JSON.parse(readFileSync(path, 'utf8')) as Golden
const written: Golden = { answers: {}, texts: {} }
// The first scope first: with it a reader is asked whom they see.
const numbers = pickCases([...asked.keys()], 20)

const pairs = Object.keys(questions).flatMap((question) => Object.keys(readers).map((reader) => ({ question, reader })))

async function ask(question: string, reader: string, way: 'statement' | 'memory', number: number): Promise<string> {
  const answer = await (questions[question] as (typeof questions)[string])(
    (queriesOf[reader] as (typeof queriesOf)[string])[way],
    asked[number] as Scope,
    number,
  ).catch((error: unknown) => {
    if (error instanceof AudienceError) return error.code
    throw error
  })
  return hash(toText(unordered.includes(question) ? sorted(answer) : answer))
}

const known = (of: 'answers' | 'texts', key: string) => {
  const all = golden[of][key]?.split(' ') ?? []
  return numbers.map((number) => all[number])
}

test.each(pairs)(
  'the answers and statements of $question are what they were, for $reader',
  async ({ question, reader }) => {
    const key = `${reader} ${question}`
    const found = { answers: [] as string[], texts: [] as string[] }
    for (const number of numbers) {
      statements = []
      found.answers.push(await ask(question, reader, 'statement', number))
      found.texts.push(hash(statements.sort().join('\n')))
    }
    for (const of of ['answers', 'texts'] as const) written[of][key] = found[of].join(' ')
    if (isWriting && isThorough) writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`)
    if (isWriting) return
    expect(found).toEqual({ answers: known('answers', key), texts: known('texts', key) })
  },
)

/** What is answered from memory. */
const inMemory = ['metrics', 'overview', 'facts', 'challenges', 'teams', 'managers', 'reports', 'rows']

test.each(pairs.filter(({ question }) => inMemory.includes(question)))(
  'the answers of $question are the same from columns in memory, for $reader',
  async ({ question, reader }) => {
    expect(await memory.ask(async () => true)).toBe(true)
    const found: string[] = []
    for (const number of numbers) found.push(await ask(question, reader, 'memory', number))
    expect(found).toEqual(known('answers', `${reader} ${question}`))
  },
)
