import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Rate } from '../../schemas/metrics/answer.ts'
import { historyArb } from './arbitrary/history.ts'
import { scopeArb } from './arbitrary/scope.ts'
import { toInScope } from './in-scope.ts'
import { computeAssignments, computeMetrics } from './model.ts'
import type { Scope } from './scope.ts'
import { turnsOverdue } from './metrics/trend.ts'
import { isLong } from '../support/tiers.ts'

/** More of them: MODEL_RUNS=10000 MODEL_SEED=7 npx vitest run test/model/model.property.test.ts */
const runs = {
  numRuns: Number(process.env['MODEL_RUNS'] ?? (isLong ? 500 : 60)),
  seed: Number(process.env['MODEL_SEED'] ?? 2026),
}

function total(counts: { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}

function excluded(rate: Rate<string>): number {
  return Object.values(rate.excluded).reduce((sum, count) => sum + count, 0)
}

test('what must add up adds up', () => {
  fc.assert(
    fc.property(historyArb(), scopeArb(), ({ deliveries, pulledUsers }, scope) => {
      const metrics = computeMetrics(deliveries, scope, pulledUsers)
      const rows = computeAssignments(deliveries, scope, pulledUsers)
      const assigned = metrics.assigned.value
      const count = (fact: 'graded' | 'open' | 'awaiting_grading' | 'overdue'): number =>
        rows.filter((row) => row[fact]).length

      expect(rows).toHaveLength(assigned)
      expect(total(metrics.statuses)).toBe(assigned)
      expect(total(metrics.aging)).toBe(metrics.overdue.value)
      expect(metrics.statuses.find(({ status }) => status === 'overdue')?.count).toBe(metrics.overdue.value)
      expect(metrics.cohorts.reduce((sum, cohort) => sum + cohort.assigned, 0)).toBe(assigned)
      expect(metrics.cohorts.reduce((sum, cohort) => sum + cohort.completed, 0)).toBe(
        metrics.completion_rate.numerator,
      )
      expect(total(metrics.grade.histogram)).toBe(metrics.grade.n)
      expect(metrics.grading_backlog.untouched + metrics.grading_backlog.partially_graded).toBe(
        metrics.grading_backlog.value,
      )

      // Every assignment of a rate's population is counted or left out by exactly one reason.
      const { on_time_rate, submitted_on_time_rate, overdue_rate, pass_rate, reviewer_on_time } = metrics
      expect(on_time_rate.denominator + excluded(on_time_rate)).toBe(assigned)
      expect(submitted_on_time_rate.denominator + excluded(submitted_on_time_rate)).toBe(assigned)
      expect(overdue_rate.denominator + excluded(overdue_rate)).toBe(count('open'))
      expect(pass_rate.denominator + excluded(pass_rate)).toBe(count('graded') + count('awaiting_grading'))
      expect(reviewer_on_time.denominator + excluded(reviewer_on_time)).toBe(
        count('graded') + count('awaiting_grading'),
      )
      const { time_to_complete, grading_turnaround } = metrics
      expect(time_to_complete.n + time_to_complete.censored + time_to_complete.unknown).toBe(assigned)
      expect(grading_turnaround.n + grading_turnaround.censored + grading_turnaround.unknown).toBe(
        count('graded') + count('awaiting_grading'),
      )

      const stages = metrics.funnel.map((stage) => stage.count)
      expect(stages).toEqual([...stages].sort((a, b) => b - a))
      expect(stages[0]).toBe(assigned)
    }),
    runs,
  )
})

test('the generated histories are worth it: every status, re-creation, regrade and turn comes up', () => {
  const seen = new Map<string, number>()
  const note = (what: string, when: boolean): void =>
    void seen.set(what, (seen.get(what) ?? 0) + Number(when))
  fc.assert(
    fc.property(
      historyArb({ maxEvents: 25 }),
      scopeArb({ filters: false }),
      ({ deliveries, pulledUsers }, scope) => {
        const rows = computeAssignments(deliveries, scope, pulledUsers)
        const inScope = toInScope(deliveries, scope, pulledUsers)
        for (const row of rows) {
          note(row.effective_status, true)
          note('deadline moved', row.deadline_moved)
          note('regraded', row.regrades.length > 0)
          note('createdAt assumed', row.created_at_assumed)
          note('no user', row.user_id === null)
        }
        note(
          'a second life',
          inScope.some(({ assignment, history }) => assignment.life.events[0] !== history[0]),
        )
        note(
          'overdue twice',
          inScope.some(({ history }) => turnsOverdue(history, scope).length > 1),
        )
        const countWith = (changes: Partial<Scope>): number =>
          computeAssignments(deliveries, { ...scope, ...changes }, pulledUsers).length
        note('a leaver', countWith({ includeLeavers: false }) < countWith({ includeLeavers: true }))
        note('under a manager', countWith({ manager: ['7'] }) > 0)
        note('in a team', countWith({ team: ['2'] }) > 0)
      },
    ),
    { numRuns: 400, seed: 20260329 },
  )
  for (const [what, times] of seen) expect(times, what).toBeGreaterThan(5)
  expect([...seen.keys()]).toHaveLength(15)
})
