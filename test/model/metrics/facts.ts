import type { AgingBucket, EffectiveStatus } from '../../../schemas/metrics/answer.ts'
import { lifeAt, type AssignmentEvent, type Life } from '../reading/lives.ts'
import type { Payload } from '../reading/reading.ts'
import type { Scope } from '../scope.ts'
import { addDays, daysBetween, lateFrom, localDate, type CalendarDate } from '../zones.ts'

/** The facts of one payload by itself, whatever the time. */
export type Standing = {
  completed: boolean
  failed: boolean
  submitted: boolean
  graded: boolean
  awaitingGrading: boolean
  open: boolean
  viewed: boolean
  started: boolean
  passed: boolean
}

export type Lateness = Pick<Scope, 'dueZone' | 'dueEnd'>

/** One assignment with every derived fact at T. */
export type Assignment = Standing & {
  life: Life
  overdue: boolean
  reviewerOverdue: boolean
  dueDay: CalendarDate | undefined
  daysOverdue: number | undefined
  agingBucket: AgingBucket | undefined
  dueSoon: boolean
  firstSeenSubmitted: AssignmentEvent | undefined
  firstSeenGraded: AssignmentEvent | undefined
  wasFirstSeenAlreadySubmitted: boolean
  wasFirstSeenAlreadyGraded: boolean
  completedOnTime: boolean
  effectiveStatus: EffectiveStatus
  firstKnownDueDate: number | undefined
  deadlineMoved: boolean
  reportedMismatch: boolean
}

export function toStanding(payload: Payload): Standing {
  const completed = payload.isCompleted
  const failed = payload.status === 'failed' && !completed
  const graded = payload.isFullyGraded
  const submitted =
    payload.isSubmitted ||
    payload.status === 'needs_grading' ||
    payload.isPartiallyGraded ||
    graded ||
    completed
  const passed = graded && payload.passed
  const started = (payload.completionPercentage ?? 0) > 0 || payload.status === 'in_progress' || submitted
  return {
    completed,
    failed,
    submitted,
    graded,
    awaitingGrading: submitted && !graded && !completed && !failed,
    open: !submitted && !failed,
    viewed: payload.firstViewedAt !== undefined || started,
    started,
    passed,
  }
}

/** Late at `instant`; an assignment without a due date is never late. */
export function isLate(dueDate: number | undefined, instant: number, { dueZone, dueEnd }: Lateness): boolean {
  return dueDate !== undefined && lateFrom(dueDate, dueZone, dueEnd) <= instant
}

/** Before `dueDate` has passed, for a moment and a due date that are both known. */
export function isInTime(
  moment: number | undefined,
  dueDate: number | undefined,
  lateness: Lateness,
): boolean {
  if (moment === undefined || dueDate === undefined) return false
  return moment < lateFrom(dueDate, lateness.dueZone, lateness.dueEnd)
}

export function toAssignment(life: Life, scope: Scope): Assignment {
  const { state, events } = life
  const standing = toStanding(state)
  const today = localDate(scope.dueZone, scope.asOf)
  const dueDay = state.dueDate === undefined ? undefined : localDate(scope.dueZone, state.dueDate)
  const overdue = standing.open && isLate(state.dueDate, scope.asOf, scope)
  const daysOverdue = overdue && dueDay !== undefined ? daysBetween(dueDay, today) : undefined
  const isDueDayNear = dueDay !== undefined && dueDay >= today && dueDay <= addDays(today, scope.dueSoonDays)
  const firstKnownDueDate = events
    .map((event) => event.payload.dueDate)
    .find((dueDate) => dueDate !== undefined)
  const firstStanding = toStanding(events[0]!.payload)
  return {
    ...standing,
    life,
    overdue,
    reviewerOverdue: standing.awaitingGrading && isLate(state.reviewersDueDate, scope.asOf, scope),
    dueDay,
    daysOverdue,
    agingBucket: daysOverdue === undefined ? undefined : toAgingBucket(daysOverdue),
    dueSoon: standing.open && !overdue && isDueDayNear,
    firstSeenSubmitted: events.find((event) => toStanding(event.payload).submitted),
    firstSeenGraded: events.find((event) => toStanding(event.payload).graded),
    wasFirstSeenAlreadySubmitted: firstStanding.submitted,
    wasFirstSeenAlreadyGraded: firstStanding.graded,
    completedOnTime: standing.completed && isInTime(state.completedAt, state.dueDate, scope),
    effectiveStatus: toEffectiveStatus(standing, overdue),
    firstKnownDueDate,
    deadlineMoved: state.dueDate !== firstKnownDueDate,
    reportedMismatch: state.isOverdue !== undefined && state.isOverdue !== overdue,
  }
}

/** Overdue by the learner as it stood at a moment, of an assignment then known, created and not deleted. */
export function wasOverdueAt(history: AssignmentEvent[], instant: number, lateness: Lateness): boolean {
  const life = lifeAt(history, instant)
  if (life === undefined || life.isDeleted || life.createdAt > instant) return false
  return toStanding(life.state).open && isLate(life.state.dueDate, instant, lateness)
}

function toAgingBucket(daysOverdue: number): AgingBucket {
  if (daysOverdue <= 7) return '1-7'
  if (daysOverdue <= 14) return '8-14'
  if (daysOverdue <= 30) return '15-30'
  if (daysOverdue <= 60) return '31-60'
  if (daysOverdue <= 90) return '61-90'
  return '91+'
}

function toEffectiveStatus(standing: Standing, overdue: boolean): EffectiveStatus {
  if (standing.completed) return 'completed'
  if (standing.failed) return 'failed'
  if (standing.awaitingGrading) return 'awaiting_grading'
  if (overdue) return 'overdue'
  return standing.viewed ? 'in_progress' : 'not_started'
}
