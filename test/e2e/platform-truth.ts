/**
 * The numbers computed from the stand-in platform's own state, not from its events: the plainest reading of METRICS.md over
 * finished records, for a due zone of UTC and due days that end at midnight.
 */
import type { Life } from '../../sample-platform/company/life.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Product } from '../support/processes/product.ts'
import { until } from '../support/wait.ts'

type Truth = ReturnType<Life['truth']>
type TruthAssignment = Truth['assignments'][number]

const dayMs = 86_400_000
const toDay = (epochMs: number) => Math.floor(epochMs / dayMs)

/** `knownLeavers`: those that events have told of; none, where the platform does not say. */
export function computeFromTruth(truth: Truth, knownLeavers: 'told' | 'none' = 'told') {
  const told = knownLeavers === 'told' ? truth.people.filter(({ isDepartureTold }) => isDepartureTold) : []
  const leavers = new Set(told.map(({ id }) => id))
  const scope = truth.assignments.filter(
    (assignment) => !assignment.deleted && !leavers.has(assignment.userId),
  )
  const today = toDay(truth.at)
  const count = (holds: (assignment: TruthAssignment) => boolean) => scope.filter(holds).length

  const isCompleted = ({ record }: TruthAssignment) => record.isCompleted
  const isFailed = ({ record }: TruthAssignment) => record.status === 'failed' && !record.isCompleted
  const isGraded = ({ record }: TruthAssignment) => record.isFullyGraded
  const isSubmitted = ({ record }: TruthAssignment) =>
    record.isSubmitted ||
    record.status === 'needs_grading' ||
    record.isPartiallyGraded ||
    record.isFullyGraded ||
    record.isCompleted
  const isOpen = (assignment: TruthAssignment) => !isSubmitted(assignment) && !isFailed(assignment)
  const isAwaiting = (assignment: TruthAssignment) =>
    isSubmitted(assignment) && !isGraded(assignment) && !isCompleted(assignment) && !isFailed(assignment)
  const isOverdue = (assignment: TruthAssignment) =>
    isOpen(assignment) && assignment.record.dueDate !== null && toDay(assignment.record.dueDate) < today
  const isStarted = (assignment: TruthAssignment) =>
    assignment.record.completionPercentage > 0 ||
    assignment.record.status === 'in_progress' ||
    isSubmitted(assignment)
  const isOnTime = ({ record }: TruthAssignment) =>
    record.isCompleted &&
    record.dueDate !== null &&
    record.completedAt !== null &&
    toDay(record.completedAt) <= toDay(record.dueDate)
  const isDecided = (assignment: TruthAssignment) =>
    assignment.record.dueDate !== null &&
    !isFailed(assignment) &&
    !isAwaiting(assignment) &&
    (isCompleted(assignment) || toDay(assignment.record.dueDate) < today)
  const grades = scope.filter(isGraded).map(({ record }) => record.calculatedGrade)

  return {
    assigned: scope.length,
    completed: count(isCompleted),
    on_time: [count((a) => isDecided(a) && isOnTime(a)), count(isDecided)],
    overdue: count(isOverdue),
    overdue_over_30_days: count((a) => isOverdue(a) && today - toDay(a.record.dueDate ?? 0) > 30),
    awaiting_grading: count(isAwaiting),
    passed: [count((a) => isGraded(a) && a.record.passed), grades.length],
    mean_grade: grades.reduce((sum, grade) => sum + grade, 0) / grades.length,
    funnel: [
      scope.length,
      count((a) => a.record.firstViewedAt !== null || isStarted(a)),
      count(isStarted),
      count(isSubmitted),
      count(isGraded),
      count((a) => isGraded(a) && a.record.passed),
    ],
    deadline_moves: count((a) => a.firstDueDate !== null && a.record.dueDate !== a.firstDueDate),
  }
}

/** The same numbers from the product, once everything that was sent is in them. */
export async function readNumbers(
  { dashboardUrl }: Product,
  at: number,
): Promise<ReturnType<typeof computeFromTruth>> {
  const sentBy = Date.now()
  const url = `${dashboardUrl}/api/metrics?as_of=${new Date(at).toISOString()}`
  const { metrics } = await until(
    async () => (await (await fetch(url)).json()) as MetricsAnswer,
    ({ complete_through }) => complete_through !== null && Date.parse(complete_through) >= sentBy,
  )
  return {
    assigned: metrics.assigned.value,
    completed: metrics.completion_rate.numerator,
    on_time: [metrics.on_time_rate.numerator, metrics.on_time_rate.denominator],
    overdue: metrics.overdue.value,
    overdue_over_30_days: metrics.aging.slice(3).reduce((sum, { count }) => sum + count, 0),
    awaiting_grading: metrics.grading_backlog.value,
    passed: [metrics.pass_rate.numerator, metrics.pass_rate.denominator],
    mean_grade: metrics.grade.mean ?? NaN,
    funnel: metrics.funnel.map(({ count }) => count),
    deadline_moves: metrics.deadline_moves.value,
  }
}
