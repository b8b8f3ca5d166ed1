/** The SQL beside a figure: run as an analyst would, it gives the numbers of the figure. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figuresWithSql, toBacklogSql, toFigureSql, type FigureWithSql } from '../../reporting/explain/metric-sql.ts'
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
  ['team', 'day', 'age', 'state', 'period_start', 'challenge', 'moment'].includes(column)

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
    if (!isThorough && name !== 'now') return
    const backlog = await run(toBacklogSql(toBacklogMoments(scope), scope, null))
    expect(backlog.map(([, waiting]) => waiting)).toEqual(grading.backlog.map(({ waiting_at_end }) => waiting_at_end))
  })

  test('every figure had something to compare', () => {
    expect([...seen].sort()).toEqual([...figuresWithSql].sort())
  })
})
