/** The SQL beside a figure: run as an analyst would, it gives the numbers of the figure. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  figuresWithSql,
  toBacklogSql,
  toByManagerSql,
  toFigureSql,
  toForecastSql,
  type FigureWithSql,
} from '../../reporting/explain/metric-sql.ts'
import { toPast } from '../../reporting/forecast/read-forecast.ts'
import type { WaitCounts } from '../../reporting/forecast/forecast.ts'
import { toBacklogMoments, type Grading } from '../../reporting/queries/grading.ts'
import type { Overdue } from '../../reporting/queries/overdue.ts'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { setApart } from '../model/arbitrary/apart.ts'
import { historyArb } from '../model/arbitrary/history.ts'
import { createScope } from '../model/scope.ts'
import { loadHistory } from '../support/data/history.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { isThorough } from '../support/thorough.ts'

const asOf = Date.UTC(2026, 3, 8, 22)
const zones = { timeZone: 'Asia/Kathmandu', dueZone: 'Europe/Berlin' } as const

let store: TestStore
let queries: Queries
beforeAll(async () => {
  store = await openTestStore()
  queries = createQueries(store.reader)
  const histories = fc.sample(historyArb({ maxEvents: 24 }), { numRuns: 60, seed: 6 }).map(setApart)
  const deliveries = histories.flatMap((each) => each.deliveries)
  await loadHistory(store.writer, { deliveries, pulledUsers: histories.flatMap((each) => each.pulledUsers) }, 200)
})
afterAll(() => store.close())

const everybody = { under: null, seen: null }

type Line = (string | number | null)[]

const expected: Record<FigureWithSql, (overdue: Overdue, grading: Grading) => Line[]> = {
  'overdue-by-team': ({ by_team }) =>
    by_team.map(({ id, overdue, people, most_days }) => [
      id,
      overdue,
      people.filter(({ user_id }) => user_id !== '').length,
      most_days,
    ]),
  'overdue-due-days': ({ due_days }) =>
    due_days
      .filter(({ due }) => due > 0)
      .map(({ day, due, handed_in, failed, open }) => [day, due, handed_in, failed, open]),
  'grading-waiting': (_, { by_age }) => by_age.filter(({ count }) => count > 0).map(({ age, count }) => [age, count]),
  'grading-reviews': (_, { by_review }) =>
    by_review.filter(({ count }) => count > 0).map(({ state, count }) => [state, count]),
  'grading-turnaround': (_, { turnaround }) =>
    turnaround.filter(({ n }) => n > 0).map(({ period_start, n, p50_ms, p90_ms }) => [period_start, n, p50_ms, p90_ms]),
  'grading-by-challenge': (_, { by_challenge }) =>
    by_challenge.map(({ id, waiting, oldest_ms, turnaround, grade }) => [
      id,
      waiting,
      oldest_ms,
      turnaround.n,
      grade.n,
      grade.median,
    ]),
}

const sorted = (lines: Line[]) => lines.map((line) => JSON.stringify(line)).sort()

async function run(sql: string): Promise<Line[]> {
  const rows = await store.rows<Record<string, string | number | null>>(sql)
  return rows.map((row) =>
    Object.entries(row).map(([name, value]) => (isText(name) ? value : value === null ? null : Number(value))),
  )
}

const isText = (column: string) =>
  ['team', 'day', 'age', 'state', 'period_start', 'challenge', 'moment', 'manager', 'of', 'kind'].includes(column)

/** What `toForecast` reads of the counts: how many there are, how many are completed, and the days of each. */
function toCounts({ assigned, completed, waits, open }: WaitCounts) {
  const byDay = (days: Iterable<[number, number]>) => [...days].sort(([a], [b]) => a - b)
  return {
    assigned,
    completed,
    ended: byDay(waits.ended),
    censored: byDay(waits.censored),
    open: byDay(open.map(({ age, n }) => [age, n])),
  }
}

function toWaits(lines: Line[], of: string) {
  const own = lines.filter(([which]) => which === of)
  const n = (...kinds: string[]) =>
    own.filter(([, kind]) => kinds.includes(String(kind))).reduce((sum, line) => sum + Number(line[3]), 0)
  const byDay = (...kinds: string[]) => {
    const days = new Map<number, number>()
    for (const [, kind, day, count] of own) {
      if (kinds.includes(String(kind))) days.set(Number(day), (days.get(Number(day)) ?? 0) + Number(count))
    }
    return [...days].sort(([a], [b]) => a - b)
  }
  return {
    assigned: own.reduce((sum, line) => sum + Number(line[3]), 0),
    completed: n('completed', 'completed_unmeasured'),
    ended: byDay('completed'),
    censored: byDay('open', 'failed'),
    open: byDay('open'),
  }
}

/** Figures that had something to compare. */
const seen = new Set<string>()

const scopes: Record<string, Scope> = {
  now: createScope(asOf, zones),
  'by the instant, of a past moment': createScope(asOf - 5 * 86_400_000, {
    ...zones,
    now: asOf,
    dueEnd: 'instant',
    fact: ['submitted', 'open'],
  }),
  'a month ago': createScope(asOf - 30 * 86_400_000, { ...zones, now: asOf }),
}

// The last test looks at what the others have seen.
describe('the SQL of a figure gives its lines', { shuffle: false }, () => {
  // The short run leaves out the last scope, and all moments of the backlog but those of the first.
  test.each(Object.entries(scopes).slice(0, isThorough ? 3 : 2))('%s', async (name, scope) => {
    const [overdue, grading] = await Promise.all([queries.overdue(scope), queries.grading(scope)])
    for (const figure of figuresWithSql) {
      const lines = expected[figure](overdue, grading)
      if (lines.length > 0) seen.add(figure)
      expect([figure, ...sorted(await run(toFigureSql(figure, scope, null)))]).toEqual([figure, ...sorted(lines)])
    }
    const byManager = overdue.by_manager.map(({ id, overdue: n, people, most_days }) => [
      id,
      n,
      people.filter(({ user_id }) => user_id !== '').length,
      most_days,
    ])
    if (byManager.length > 1) seen.add('by manager')
    expect(sorted(await run(toByManagerSql(scope, everybody)))).toEqual(sorted(byManager))

    // Comparable ones are of any time and include leavers.
    const past = toPast(scope)
    const [own, ofPast] = await Promise.all([queries.waits(scope), queries.waits(past)])
    if (own.assigned > 0 && own.waits.ended.size > 0) seen.add('forecast')
    const lines = await run(toForecastSql(scope, past, { under: null, seen: null }))
    expect(toWaits(lines, 'scope')).toEqual(toCounts(own))
    expect(toWaits(lines, 'past')).toEqual(toCounts(ofPast))
    if (!isThorough && name !== 'now') return
    const backlog = await run(toBacklogSql(toBacklogMoments(scope), scope, null))
    expect(backlog.map(([, waiting]) => waiting)).toEqual(grading.backlog.map(({ waiting_at_end }) => waiting_at_end))
  })

  test('every figure had something to compare', () => {
    expect([...seen].sort()).toEqual([...figuresWithSql, 'by manager', 'forecast'].sort())
  })
})
