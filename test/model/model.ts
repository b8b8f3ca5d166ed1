import type { AgingBucket, EffectiveStatus, Metrics } from '../../schemas/metrics/answer.ts'
import { aging, cohorts, funnel, grade, gradingBacklog, statuses } from './metrics/distributions.ts'
import { gradingTurnaround, timeToComplete } from './metrics/durations.ts'
import type { Assignment } from './metrics/facts.ts'
import { toInScope } from './in-scope.ts'
import type { AssignmentEvent } from './reading/lives.ts'
import {
  completionRate,
  deadlineMoves,
  onTimeRate,
  overdueRate,
  passRate,
  peopleFullyComplete,
  reviewerOnTime,
  submittedOnTimeRate,
} from './metrics/rates.ts'
import type { WireStatus } from './reading/reading.ts'
import type { Delivery, PulledUser, Scope } from './scope.ts'
import { trend } from './metrics/trend.ts'
import type { CalendarDate } from './zones.ts'

/**
 * METRICS.md, word for word and from the raw bodies: the second opinion that the product's SQL is held against. It
 * shares nothing with the product but the shape of the answer, and prefers being plain to being fast.
 */
export function computeMetrics(
  deliveries: Delivery[],
  scope: Scope,
  pulledUsers: PulledUser[] = [],
): Metrics {
  const inScope = toInScope(deliveries, scope, pulledUsers)
  const assignments = inScope.map(({ assignment }) => assignment)
  const count = (
    fact: 'overdue' | 'dueSoon' | 'reviewerOverdue' | 'reportedMismatch',
  ): { value: number } => ({
    value: assignments.filter((assignment) => assignment[fact]).length,
  })
  return {
    assigned: { value: assignments.length },
    completion_rate: completionRate(assignments),
    people_fully_complete: peopleFullyComplete(assignments),
    on_time_rate: onTimeRate(assignments, scope),
    submitted_on_time_rate: submittedOnTimeRate(assignments, scope),
    overdue: count('overdue'),
    overdue_rate: overdueRate(assignments),
    aging: aging(assignments),
    due_soon: count('dueSoon'),
    statuses: statuses(assignments),
    pass_rate: passRate(assignments),
    grade: grade(assignments),
    grading_backlog: gradingBacklog(assignments, scope.asOf),
    reviewer_overdue: count('reviewerOverdue'),
    reviewer_on_time: reviewerOnTime(assignments, scope),
    grading_turnaround: gradingTurnaround(assignments, scope.asOf),
    time_to_complete: timeToComplete(assignments, scope.asOf),
    funnel: funnel(assignments),
    cohorts: cohorts(assignments, scope),
    trend: trend(inScope, scope),
    deadline_moves: deadlineMoves(assignments, scope),
    reported_mismatch: count('reportedMismatch'),
  }
}

/** One step between two consecutive graded events of the current life. */
export type Regrade = {
  event_id: string
  at: number
  grade_from: number | null
  grade_to: number | null
  passed_from: boolean
  passed_to: boolean
}

/** Every fact of one assignment at T; instants are epoch milliseconds, `null` is unknown. */
export type AssignmentRow = {
  assignment_id: string
  user_id: string | null
  challenge_id: string | null
  created_at: number
  created_at_assumed: boolean
  updated_at: number | null
  due_date: number | null
  due_day: CalendarDate | null
  reviewers_due_date: number | null
  completed_at: number | null
  first_viewed_at: number | null
  calculated_grade: number | null
  calculated_grade_as_sent: number | null
  completion_percentage: number | null
  status: WireStatus | null
  is_completed_on_time: boolean | null
  is_overdue: boolean | null
  partially_graded: boolean
  viewed: boolean
  started: boolean
  completed: boolean
  failed: boolean
  submitted: boolean
  graded: boolean
  passed: boolean
  awaiting_grading: boolean
  open: boolean
  overdue: boolean
  reviewer_overdue: boolean
  days_overdue: number | null
  aging_bucket: AgingBucket | null
  due_soon: boolean
  first_seen_submitted: number | null
  first_seen_graded: number | null
  completed_on_time: boolean
  effective_status: EffectiveStatus
  first_due_date: number | null
  deadline_moved: boolean
  reported_mismatch: boolean
  regrades: Regrade[]
}

/** The rows behind the numbers of the same scope, by assignment id. */
export function computeAssignments(
  deliveries: Delivery[],
  scope: Scope,
  pulledUsers: PulledUser[] = [],
): AssignmentRow[] {
  return toInScope(deliveries, scope, pulledUsers).map(({ assignment }) => toRow(assignment))
}

function toRow(assignment: Assignment): AssignmentRow {
  const { life } = assignment
  const { state } = life
  return {
    assignment_id: life.assignmentId,
    user_id: life.userId ?? null,
    challenge_id: life.challengeId ?? null,
    created_at: life.createdAt,
    created_at_assumed: life.isCreatedAtAssumed,
    updated_at: state.updatedAt ?? null,
    due_date: state.dueDate ?? null,
    due_day: assignment.dueDay ?? null,
    reviewers_due_date: state.reviewersDueDate ?? null,
    completed_at: state.completedAt ?? null,
    first_viewed_at: state.firstViewedAt ?? null,
    calculated_grade: assignment.graded ? (state.calculatedGrade ?? null) : null,
    calculated_grade_as_sent: state.calculatedGrade ?? null,
    completion_percentage: state.completionPercentage ?? null,
    status: state.status ?? null,
    is_completed_on_time: state.isCompletedOnTime ?? null,
    is_overdue: state.isOverdue ?? null,
    partially_graded: state.isPartiallyGraded,
    viewed: assignment.viewed,
    started: assignment.started,
    completed: assignment.completed,
    failed: assignment.failed,
    submitted: assignment.submitted,
    graded: assignment.graded,
    passed: assignment.passed,
    awaiting_grading: assignment.awaitingGrading,
    open: assignment.open,
    overdue: assignment.overdue,
    reviewer_overdue: assignment.reviewerOverdue,
    days_overdue: assignment.daysOverdue ?? null,
    aging_bucket: assignment.agingBucket ?? null,
    due_soon: assignment.dueSoon,
    first_seen_submitted: assignment.firstSeenSubmitted?.timestamp ?? null,
    first_seen_graded: assignment.firstSeenGraded?.timestamp ?? null,
    completed_on_time: assignment.completedOnTime,
    effective_status: assignment.effectiveStatus,
    first_due_date: assignment.firstKnownDueDate ?? null,
    deadline_moved: assignment.deadlineMoved,
    reported_mismatch: assignment.reportedMismatch,
    regrades: toRegrades(life.events),
  }
}

/** A grade that is unknown on one side is not a change; an unknown pass flag is not passed. */
export function toRegrades(events: AssignmentEvent[]): Regrade[] {
  const graded = events.filter(({ payload }) => payload.isFullyGraded)
  return graded.flatMap((event, index) => {
    const before = graded[index - 1]
    if (before === undefined) return []
    const [from, to] = [before.payload, event.payload]
    const hasNewGrade =
      from.calculatedGrade !== undefined &&
      to.calculatedGrade !== undefined &&
      from.calculatedGrade !== to.calculatedGrade
    if (!hasNewGrade && from.passed === to.passed) return []
    const regrade: Regrade = {
      event_id: event.eventId,
      at: event.timestamp,
      grade_from: from.calculatedGrade ?? null,
      grade_to: to.calculatedGrade ?? null,
      passed_from: from.passed,
      passed_to: to.passed,
    }
    return [regrade]
  })
}
