/**
 * Parsing, fold, facts and metrics beside the independent model, without a store: thousands of histories in seconds. The mutation score
 * (npm run mutants) rests on it.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFacts, type Version } from '../../reporting/expressions/evaluate.ts'
import { both, holds, not, type Bits, type Fact, type FactCount } from '../../schemas/metrics/facts.ts'
import { countWhere, metrics, toRate } from '../../schemas/metrics/metrics.ts'
import { parseDelivery, toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { toColumns } from '../../services/clickhouse/insert-rows.ts'
import { foldAssignment, type AssignmentVersion } from '../../services/consumer/fold/fold-assignment.ts'
import { toStoredEvent, type StoredEvent } from '../../services/consumer/fold/stored-event.ts'
import { isLong } from '../support/tiers.ts'
import { historyArb } from './arbitrary/history.ts'
import { scopeArb } from './arbitrary/scope.ts'
import { toInScope } from './in-scope.ts'
import { turnsOverdue } from './metrics/trend.ts'
import { computeAssignments, computeMetrics, type AssignmentRow } from './model.ts'
import { createScope, type Delivery, type Scope } from './scope.ts'
import { lateFrom } from './zones.ts'

/** More of them: MODEL_RUNS=10000 MODEL_SEED=7 npx vitest run test/model/in-memory.test.ts */
const runs = Number(process.env['MODEL_RUNS'] ?? (isLong ? 1_000 : 120))
const seed = Number(process.env['MODEL_SEED'] ?? 2026)
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']

function fold(deliveries: readonly Delivery[]): Map<string, AssignmentVersion[]> {
  const events = new Map<string, StoredEvent[]>()
  for (const { body } of deliveries) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const delivery = parseDelivery(bytes)
    if (delivery.outcome !== 'event' || delivery.event.assignment === undefined) continue
    const { id } = delivery.event.assignment
    events.set(id, [...(events.get(id) ?? []), toStoredEvent(delivery.event, toEventId(bytes))])
  }
  return new Map([...events].map(([id, each]) => [id, foldAssignment(each)]))
}

function versionAt(versions: readonly AssignmentVersion[], { asOf }: Scope): AssignmentVersion | undefined {
  const version = versions.find(({ validFromMs, validToMs }) => validFromMs <= asOf && asOf < validToMs)
  return version === undefined || version.class === 3 ? undefined : version
}

const toNull = (ms: number) => (ms === 0 ? null : ms)

/** The part of the model's row that follows from one version and its facts. */
function toRow(assignment_id: string, version: AssignmentVersion, bits: Bits) {
  const is = (fact: Fact) => holds(fact, bits)
  return {
    assignment_id,
    user_id: version.userId || null,
    challenge_id: version.challengeId || null,
    created_at: version.createdAtMs,
    created_at_assumed: is('created_assumed'),
    updated_at: toNull(version.updatedAtMs),
    due_date: toNull(version.dueDateMs),
    reviewers_due_date: toNull(version.reviewersDueDateMs),
    completed_at: toNull(version.completedAtMs),
    first_viewed_at: toNull(version.firstViewedAtMs),
    calculated_grade_as_sent: is('grade_known') ? version.grade : null,
    status: version.status || null,
    first_seen_submitted: toNull(version.firstSubmittedAtMs),
    first_seen_graded: toNull(version.firstGradedAtMs),
    first_due_date: toNull(version.firstDueDateMs),
    completion_percentage:
      version.completionPercentage === -1 && !is('percentage_minus_one')
        ? null
        : version.completionPercentage,
    is_completed_on_time: is('reported_on_time_known') ? is('reported_on_time') : null,
    is_overdue: is('reported_overdue_known') ? is('reported_overdue') : null,
    partially_graded: is('partially_graded'),
    viewed: is('viewed'),
    started: is('started'),
    completed: is('completed'),
    failed: is('failed'),
    submitted: is('submitted'),
    graded: is('graded'),
    awaiting_grading: is('awaiting_grading'),
    open: is('open'),
    overdue: is('overdue'),
    reviewer_overdue: is('reviewer_overdue'),
    due_soon: is('due_soon'),
    completed_on_time: is('completed_on_time'),
    deadline_moved: is('deadline_moved'),
    reported_mismatch: is('reported_mismatch'),
    days_overdue: is('overdue') ? bits.days : null,
  } satisfies { [column in keyof AssignmentRow]?: unknown }
}

/** Every metric that counts facts, and of those that measure as well their counts. */
function count(facts: readonly FactCount[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([key, metric]): [string, unknown][] => {
      if (metric.by === 'count') return [[key, { value: countWhere(facts, metric.of) }]]
      if (metric.by === 'rate') return [[key, toRate<string>(facts, metric)]]
      if (metric.by === 'duration') {
        const [unknown, ended] = [
          both(metric.of, metric.unknown),
          both(metric.of, metric.ended, not(metric.unknown)),
        ]
        return [[key, { unknown: countWhere(facts, unknown), n: countWhere(facts, ended) }]]
      }
      if (metric.by === 'backlog') {
        const partially_graded = countWhere(facts, both(metric.of, metric.partly))
        return [[key, { value: countWhere(facts, metric.of), partially_graded }]]
      }
      if (metric.by === 'grades') return [[key, { n: countWhere(facts, metric.of) }]]
      if (metric.by === 'rates') {
        const some = facts.filter((bits) => holds(metric.of, bits))
        const rates = Object.entries(metric.rates).map(([name, shape]) => [name, toRate<string>(some, shape)])
        return [[key, { value: some.length, ...Object.fromEntries(rates) }]]
      }
      if (metric.by !== 'lines') return []
      const lines = Object.entries(metric.lines)
      return [[key, lines.map(([name, of]) => ({ [metric.name]: name, count: countWhere(facts, of) }))]]
    }),
  )
}

const scopes = fc
  .tuple(scopeArb(), fc.constantFrom(...zones), fc.constantFrom(...zones))
  .map(([{ asOf, now, dueEnd, dueSoonDays }, timeZone, dueZone]) =>
    createScope(asOf, { now, timeZone, dueZone, dueEnd, dueSoonDays, includeLeavers: true }),
  )

test('what bodies say, folded and counted in memory, is what the model makes of them', () => {
  let seen = 0
  fc.assert(
    fc.property(historyArb(), scopes, ({ deliveries }, scope) => {
      const factsOf = compileFacts(scope, scope.dueSoonDays)
      // Repeats change nothing.
      const found = [...fold([...deliveries, ...deliveries.slice(0, 3)])].flatMap(([id, versions]) => {
        const version = versionAt(versions, scope)
        if (version === undefined) return []
        const bits = factsOf(toColumns(version) as Version)
        return [{ row: toRow(id, version, bits), fact: { ...bits, n: 1 } }]
      })
      const rows = found
        .map(({ row }) => row)
        .toSorted((a, b) => (a.assignment_id < b.assignment_id ? -1 : 1))
      expect(computeAssignments(deliveries, scope)).toMatchObject(rows)
      expect(computeMetrics(deliveries, scope)).toMatchObject(count(found.map(({ fact }) => fact)))
      seen += found.length
    }),
    { numRuns: runs, seed },
  )
  expect(seen).toBeGreaterThan(runs / 4)
})

test('the spans under due dates are the times at which the model sees an assignment overdue', () => {
  let seen = 0
  fc.assert(
    fc.property(historyArb(), scopes, ({ deliveries }, scope) => {
      const versions = fold(deliveries)
      for (const { assignment, history } of toInScope(deliveries, scope, [])) {
        const version = versionAt(versions.get(assignment.life.assignmentId)!, scope)!
        const overdue = version.dueSpans
          .map(
            ([opened, closed, due]) =>
              [Math.max(opened, lateFrom(due, scope.dueZone, scope.dueEnd)), closed] as const,
          )
          .filter(([begins, ends]) => begins < ends)
        const turns = overdue.filter(([begins], n) => begins <= scope.asOf && overdue[n - 1]?.[1] !== begins)
        expect(turns.map(([begins]) => begins)).toEqual(
          turnsOverdue(history, scope).toSorted((a, b) => a - b),
        )
        expect(overdue.some(([begins, ends]) => begins <= scope.asOf && scope.asOf < ends)).toBe(
          assignment.overdue,
        )
        seen += turns.length
      }
    }),
    { numRuns: runs, seed },
  )
  expect(seen).toBeGreaterThan(runs / 20)
})
