/** The Overview besides the metrics: every line of a ranking is as the metrics say for that line alone. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createQueries } from '../../reporting/queries/queries.ts'
import type { RankingRow } from '../../reporting/metrics/overview.ts'
import { historyArb } from '../model/arbitrary/history.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { periodStart } from '../model/zones.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const asOf = Date.UTC(2026, 3, 8, 22)
const scope = createScope(asOf, {
  timeZone: 'Asia/Kathmandu',
  dueZone: 'Europe/Berlin',
  includeLeavers: true,
})
const before = { ...scope, asOf: Date.UTC(2026, 2, 30) }

const store = await openTestStore()
const deliveries = fc
  .sample(historyArb({ maxEvents: 60 }), { numRuns: 12, seed: 11 })
  .flatMap((history) => history.deliveries)
await storeBodies(
  store.writer,
  deliveries.map(({ body }) => body),
)
const overview = await createQueries(ownReader(store.reader)).overview(scope, before)
afterAll(() => store.close())

function toLine(id: string, narrowed: Scope): Omit<RankingRow, 'name'> {
  const metrics = computeMetrics(deliveries, narrowed)
  return {
    id,
    assigned: metrics.assigned.value,
    completion_rate: metrics.completion_rate,
    on_time_rate: metrics.on_time_rate,
    overdue: metrics.overdue.value,
    awaiting_grading: metrics.grading_backlog.value,
  }
}

test('is about enough to be worth looking at', () => {
  expect(computeMetrics(deliveries, scope).assigned.value).toBeGreaterThan(2)
  expect(overview.by_team.length).toBeGreaterThan(1)
})

test('the lines of challenges are the metrics of each challenge', () => {
  for (const { name: _, ...line } of overview.by_challenge.filter(({ id }) => id !== '')) {
    expect(line).toEqual(toLine(line.id, { ...scope, challenge: [line.id] }))
  }
  const total = overview.by_challenge.reduce((sum, line) => sum + line.assigned, 0)
  expect(total).toBe(overview.answer.metrics.assigned.value)
})

test('the lines of teams are the metrics of each team, and someone in two teams counts in both', () => {
  for (const { name: _, ...line } of overview.by_team.filter(({ id }) => id !== '')) {
    expect(line).toEqual(toLine(line.id, { ...scope, team: [line.id] }))
  }
  const inTeams = computeMetrics(deliveries, { ...scope, team: overview.by_team.map(({ id }) => id) })
    .assigned.value
  const inNone = overview.by_team.find(({ id }) => id === '')?.assigned ?? 0
  expect(inTeams + inNone).toBe(overview.answer.metrics.assigned.value)
})

test('what fell due in a week was on time, late or open', () => {
  const expected = Map.groupBy(
    computeAssignments(deliveries, scope).filter((row) => row.due_day !== null),
    (row) => periodStart('week', row.due_day ?? ''),
  )
  expect(
    overview.due_cohorts.map(({ period_start }) => period_start).filter((week) => expected.has(week)),
  ).toEqual([...expected.keys()].sort())
  for (const { period_start, ...cohort } of overview.due_cohorts) {
    const rows = expected.get(period_start) ?? []
    expect(cohort).toEqual({
      on_time: rows.filter((row) => row.completed_on_time).length,
      late: rows.filter(
        (row) => row.overdue || (row.completed && row.completed_at !== null && !row.completed_on_time),
      ).length,
      open: rows.filter((row) => !row.completed && !row.failed && !row.overdue).length,
    })
  }
})

test('the comparison is the same scope at its own instant', () => {
  expect(overview.previous?.as_of).toBe(new Date(before.asOf).toISOString())
  expect(overview.previous?.metrics.completion_rate).toEqual(
    computeMetrics(deliveries, before).completion_rate,
  )
})

test('freshness and options come with it', () => {
  expect(overview.freshness.complete_through).toBe(overview.answer.complete_through)
  expect(overview.freshness).toMatchObject({ sample: false })
  expect(overview.freshness.last_event_at).not.toBeNull()
  expect(overview.options.teams.map(({ id }) => id)).toEqual(
    expect.arrayContaining(overview.by_team.map(({ id }) => id).filter((id) => id !== '')),
  )
})
