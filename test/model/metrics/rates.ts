import type { Metrics, Rate } from '../../../schemas/metrics/answer.ts'
import { isInTime, isLate, type Assignment } from './facts.ts'
import type { Scope } from '../scope.ts'

/** Where one assignment goes in a rate: left out with the first reason that holds, or counted as met or not. */
type Verdict<Reason extends string> = { excluded: Reason } | { met: boolean }

function toRate<Reason extends string>(
  reasons: readonly Reason[],
  verdicts: Verdict<Reason>[],
): Rate<Reason> {
  const counted = verdicts.filter((verdict) => 'met' in verdict)
  const left = verdicts.filter((verdict) => 'excluded' in verdict)
  const numerator = counted.filter((verdict) => verdict.met).length
  const denominator = counted.length
  const excluded = Object.fromEntries(
    reasons.map((reason) => [reason, left.filter((verdict) => verdict.excluded === reason).length]),
  ) as Record<Reason, number>
  return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator, excluded }
}

export function completionRate(assignments: Assignment[]): Rate {
  return toRate(
    [],
    assignments.map((assignment) => ({ met: assignment.completed })),
  )
}

export function peopleFullyComplete(assignments: Assignment[]): Rate {
  const people = new Set(assignments.map(({ life }) => life.userId).filter((userId) => userId !== undefined))
  return toRate(
    [],
    [...people].map((userId) => ({
      met: assignments.filter(({ life }) => life.userId === userId).every(({ completed }) => completed),
    })),
  )
}

const onTimeReasons = [
  'no_due_date',
  'no_completion_time',
  'failed',
  'awaiting_grading',
  'not_due_yet',
] as const

/** By the current due dates, or by any other given for each assignment. */
export function onTimeRate(
  assignments: Assignment[],
  scope: Scope,
  dueDateOf = (assignment: Assignment): number | undefined => assignment.life.state.dueDate,
): Metrics['on_time_rate'] {
  const verdicts = assignments.map((assignment): Verdict<(typeof onTimeReasons)[number]> => {
    const dueDate = dueDateOf(assignment)
    const { completedAt } = assignment.life.state
    if (dueDate === undefined) return { excluded: 'no_due_date' }
    if (assignment.completed && completedAt === undefined) return { excluded: 'no_completion_time' }
    if (assignment.failed) return { excluded: 'failed' }
    if (assignment.awaitingGrading) return { excluded: 'awaiting_grading' }
    if (!assignment.completed && !isLate(dueDate, scope.asOf, scope)) return { excluded: 'not_due_yet' }
    return { met: assignment.completed && isInTime(completedAt, dueDate, scope) }
  })
  return toRate(onTimeReasons, verdicts)
}

const submittedReasons = ['no_due_date', 'failed', 'not_due_yet', 'unknown'] as const

export function submittedOnTimeRate(
  assignments: Assignment[],
  scope: Scope,
): Metrics['submitted_on_time_rate'] {
  const verdicts = assignments.map((assignment): Verdict<(typeof submittedReasons)[number]> => {
    const { dueDate, completedAt } = assignment.life.state
    if (dueDate === undefined) return { excluded: 'no_due_date' }
    if (assignment.failed) return { excluded: 'failed' }
    if (!assignment.submitted) {
      return isLate(dueDate, scope.asOf, scope) ? { met: false } : { excluded: 'not_due_yet' }
    }
    const wasSeenInTime = isInTime(assignment.firstSeenSubmitted?.timestamp, dueDate, scope)
    if (!assignment.wasFirstSeenAlreadySubmitted) return { met: wasSeenInTime }
    // Handed in before we were looking: in time if anything proves it, else nobody knows.
    return wasSeenInTime || isInTime(completedAt, dueDate, scope) ? { met: true } : { excluded: 'unknown' }
  })
  return toRate(submittedReasons, verdicts)
}

export function overdueRate(assignments: Assignment[]): Metrics['overdue_rate'] {
  const verdicts = assignments
    .filter(({ open }) => open)
    .map(({ life, overdue }): Verdict<'no_due_date'> =>
      life.state.dueDate === undefined ? { excluded: 'no_due_date' } : { met: overdue },
    )
  return toRate(['no_due_date'], verdicts)
}

export function passRate(assignments: Assignment[]): Metrics['pass_rate'] {
  const verdicts = assignments
    .filter(({ graded, awaitingGrading }) => graded || awaitingGrading)
    .map(({ graded, passed }): Verdict<'awaiting_grading'> =>
      graded ? { met: passed } : { excluded: 'awaiting_grading' },
    )
  return toRate(['awaiting_grading'], verdicts)
}

const reviewerReasons = ['no_reviewers_due_date', 'unknown', 'not_due_yet'] as const

export function reviewerOnTime(assignments: Assignment[], scope: Scope): Metrics['reviewer_on_time'] {
  const verdicts = assignments
    .filter(({ graded, awaitingGrading }) => graded || awaitingGrading)
    .map((assignment): Verdict<(typeof reviewerReasons)[number]> => {
      const { reviewersDueDate } = assignment.life.state
      if (reviewersDueDate === undefined) return { excluded: 'no_reviewers_due_date' }
      if (assignment.wasFirstSeenAlreadyGraded) return { excluded: 'unknown' }
      if (assignment.awaitingGrading) {
        return isLate(reviewersDueDate, scope.asOf, scope) ? { met: false } : { excluded: 'not_due_yet' }
      }
      return { met: isInTime(assignment.firstSeenGraded?.timestamp, reviewersDueDate, scope) }
    })
  return toRate(reviewerReasons, verdicts)
}

export function deadlineMoves(assignments: Assignment[], scope: Scope): Metrics['deadline_moves'] {
  const moved = assignments.filter(({ deadlineMoved }) => deadlineMoved)
  return {
    value: moved.length,
    on_time_by_first: onTimeRate(moved, scope, ({ firstKnownDueDate }) => firstKnownDueDate),
    on_time_by_current: onTimeRate(moved, scope),
  }
}
