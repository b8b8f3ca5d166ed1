/** The numbers of the Grading page beside the model: queue, ages, turnaround, backlog through time, challenges. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueries } from '../../reporting/queries/queries.ts'
import {
  waitingAgeKeys,
  type Grading,
  type QueueRequest,
  type QueueRow,
} from '../../reporting/queries/grading.ts'
import { waitingAges } from '../../reporting/metrics/grading.ts'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { plainMedian } from '../model/metrics/distributions.ts'
import { gradingTurnaround } from '../model/metrics/durations.ts'
import { toInScope } from '../model/in-scope.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { firstInstantOf, localDate, periodStart } from '../model/zones.ts'
import { loadHistory } from '../support/data/history.ts'
import { openTestStore } from '../support/store/store.ts'
import { isLong, pick } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'

const dayMs = 86_400_000
const asOf = Date.UTC(2026, 3, 8, 22)
const zones = { timeZone: 'Asia/Kathmandu', dueZone: 'Europe/Berlin' } as const
const scopes: Record<string, Scope> = {
  everything: createScope(asOf, zones),
  'days, with leavers, by the instant': createScope(asOf, {
    ...zones,
    includeLeavers: true,
    dueEnd: 'instant',
    period: 'day',
  }),
  'what was handed in, of a past moment': createScope(asOf - 5 * dayMs, {
    ...zones,
    now: asOf,
    fact: ['submitted'],
  }),
}

const store = await openTestStore()
const memory = createMemory(openSource(store.reader, store.streamer))
const queries = createQueries(ownReader(store.reader, memory))
const history = sampleHistory(isLong ? 60 : 30, 6)
await loadHistory(store.writer, history, 1_000)
afterAll(() => store.close())

const rowsOf = (scope: Scope) => computeAssignments(history.deliveries, scope, history.pulledUsers)
const metricsOf = (scope: Scope) => computeMetrics(history.deliveries, scope, history.pulledUsers)

/** Page by page; a page has `limit` rows. */
async function readQueue(
  scope: Scope,
  request: Omit<QueueRequest, 'offset' | 'limit'>,
  limit = 1_000,
): Promise<QueueRow[]> {
  const rows: QueueRow[] = []
  for (;;) {
    const page = await queries.gradingQueue(scope, { ...request, offset: rows.length, limit })
    rows.push(...page.rows)
    if (rows.length === page.total) return rows
  }
}

const cases = Object.entries(scopes).map(([name, scope]) => ({ name, scope }))

describe.each(pick(cases, 2))('$name', ({ scope }) => {
  let grading: Grading
  beforeAll(async () => {
    grading = await queries.grading(scope)
  })

  const ageOf = (row: { first_seen_submitted: number | null }) =>
    scope.asOf - (row.first_seen_submitted ?? scope.asOf)

  test('the queue is what awaits grading, handed in longest ago first', async () => {
    const expected = rowsOf(scope)
      .filter((row) => row.awaiting_grading)
      .map((row) => [row.assignment_id, row.first_seen_submitted] as const)
      .sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0) || (a[0] < b[0] ? -1 : 1))
    expect(expected.length).toBeGreaterThan(3)
    expect(grading.waiting).toBe(expected.length)
    const queue = await readQueue(scope, {}, 3)
    expect(queue.map((row) => [row.assignment_id, Date.parse(row.submitted_at)])).toEqual(expected)
  })

  test('every age has the rows that it counts', async () => {
    const waiting = rowsOf(scope).filter((row) => row.awaiting_grading)
    for (const age of waitingAgeKeys) {
      const [from, to] = waitingAges[age]
      const rows = waiting.filter(
        (row) => Math.floor(ageOf(row) / dayMs) >= from && Math.floor(ageOf(row) / dayMs) <= to,
      )
      expect([age, grading.by_age.find((each) => each.age === age)?.count]).toEqual([age, rows.length])
      expect((await readQueue(scope, { age })).map((row) => row.assignment_id).sort()).toEqual(ids(rows))
    }
  })

  test('the turnaround of a period is that of what was first seen graded in it', async () => {
    const graded = toInScope(history.deliveries, scope, history.pulledUsers)
      .map(({ assignment }) => assignment)
      .filter((assignment) => assignment.graded)
    let sum = 0
    for (const { period_start, ...own } of grading.turnaround) {
      const inPeriod = graded.filter(({ firstSeenGraded }) => {
        const date = localDate(scope.timeZone, firstSeenGraded?.timestamp ?? 0)
        return periodStart(scope.period, date) === period_start
      })
      const { p50_ms, p90_ms, n } = gradingTurnaround(inPeriod, scope.asOf)
      expect({ period_start, ...own }).toEqual({ period_start, n, p50_ms, p90_ms })
      const measured = inPeriod.filter((each) => gradingTurnaround([each], scope.asOf).n === 1)
      const listed = await readQueue(scope, { graded: period_start })
      expect(listed.map((row) => row.assignment_id).sort()).toEqual(
        measured.map(({ life }) => life.assignmentId).sort(),
      )
      sum += n
    }
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThanOrEqual(metricsOf(scope).grading_turnaround.n)
  })

  test('the backlog at the end of a period is what awaited grading then, of what is in scope now', () => {
    const inScope = new Set(rowsOf(scope).map((row) => row.assignment_id))
    const trend = metricsOf(scope).trend
    expect(grading.backlog.map(({ period_start }) => period_start)).toEqual(
      trend.map(({ period_start }) => period_start),
    )
    grading.backlog.forEach(({ period_start, waiting_at_end }, index) => {
      const next = grading.backlog[index + 1]?.period_start
      const end = next === undefined ? scope.asOf : firstInstantOf(scope.timeZone, next) - 1
      const then = createScope(end, { ...zones, now: scope.now, includeLeavers: true })
      const rows = rowsOf(then).filter((row) => row.awaiting_grading && inScope.has(row.assignment_id))
      expect([period_start, waiting_at_end]).toEqual([period_start, rows.length])
    })
    expect(grading.backlog.at(-1)?.waiting_at_end).toBe(grading.waiting)
  })

  test('a challenge has the metrics of its assignments', () => {
    const known = grading.by_challenge.filter(({ id }) => id !== '')
    expect(known.length).toBeGreaterThan(3)
    for (const { id, waiting, oldest_ms, turnaround, grade } of pick(known, 3)) {
      const narrowed = { ...scope, challenge: [id] }
      const metrics = metricsOf(narrowed)
      expect({ id, waiting, oldest_ms, turnaround, grade }).toEqual({
        id,
        waiting: metrics.grading_backlog.value,
        oldest_ms: metrics.grading_backlog.oldest_age_ms,
        turnaround: { p50_ms: metrics.grading_turnaround.p50_ms, n: metrics.grading_turnaround.n },
        grade: { median: metrics.grade.median, n: metrics.grade.n },
      })
      expect(grade.median).toBe(
        plainMedian(
          rowsOf(narrowed).flatMap((row) =>
            row.graded && row.calculated_grade !== null ? [row.calculated_grade] : [],
          ),
        ),
      )
    }
  })
})

function ids(rows: { assignment_id: string }[]): string[] {
  return rows.map((row) => row.assignment_id).sort()
}

test('a period may lie outside the dates of the engine', async () => {
  const scope = createScope(asOf, {
    ...zones,
    period: 'month',
    trendFrom: '1000-01-01',
    trendTo: '1001-01-01',
  })
  const { backlog } = await queries.grading(scope)
  expect(backlog.map(({ waiting_at_end }) => waiting_at_end)).toEqual(Array(13).fill(0))
  const countRows = async (name: string) =>
    (await queries.assignments({ ...scope, part: { metric: 'trend', name } }, { limit: 1, withTotal: true }))
      .total
  const overdue = metricsOf(scope).overdue.value
  expect(overdue).toBeGreaterThan(0)
  expect(await countRows('1000-01-01.became_overdue')).toBe(0)
  expect(await countRows('1000-01-01.overdue_at_end')).toBe(0)
  expect(await countRows('9999-12-01.became_overdue')).toBe(0)
  expect(await countRows('9999-12-01.overdue_at_end')).toBe(overdue)
})
