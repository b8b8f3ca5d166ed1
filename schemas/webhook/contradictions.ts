/**
 * Statements of one delivery that contradict each other (METRICS.md, "Contradictions"). They change no number. An unknown
 * field contradicts nothing, but an unknown flag is not true.
 */
import { assignmentFieldList, type AssignmentEventType, type WireAssignment } from './event.ts'
import type { DeliveredEvent } from './parse-delivery.ts'

type Sent = { type: AssignmentEventType; assignment: WireAssignment; challengeId: string | null | undefined }

type Contradiction = {
  /** In `contradictions` of `event_rows`. Never changes its meaning. */
  bit: number
  /** For analysts: an element of `contradictions` of the view `events`, whose list of names is in the order of the bits. */
  name: string
  /** The text for people. */
  text: string
  isIn: (sent: Sent) => boolean
}

export const contradictions = [
  {
    bit: 1,
    name: 'created_not_new',
    text: 'Created, with values that a new assignment does not have',
    isIn: ({ type, assignment }) => type === 'assignmentCreated.challenge' && !isNew(assignment),
  },
  {
    bit: 2,
    name: 'completed_event_without_completion',
    text: 'Completed, although isCompleted is false',
    isIn: ({ type, assignment }) =>
      type === 'assignmentCompleted.challenge' && assignment.isCompleted === false,
  },
  {
    bit: 4,
    name: 'status_completed_without_completion',
    text: 'The status is completed, although isCompleted is false',
    isIn: ({ assignment }) => assignment.status === 'completed' && assignment.isCompleted === false,
  },
  {
    bit: 8,
    name: 'status_failed_with_completion',
    text: 'The status is failed, although isCompleted is true',
    isIn: ({ assignment }) => assignment.status === 'failed' && assignment.isCompleted === true,
  },
  {
    bit: 16,
    name: 'on_time_without_completion',
    text: 'isCompletedOnTime is true without isCompleted',
    isIn: ({ assignment }) => assignment.isCompletedOnTime === true && assignment.isCompleted !== true,
  },
  {
    bit: 32,
    name: 'on_time_after_due_date',
    text: 'isCompletedOnTime is true, although completedAt is a day or more after dueDate',
    isIn: ({ assignment: { isCompletedOnTime, completedAt, dueDate } }) =>
      isCompletedOnTime === true &&
      completedAt != null &&
      dueDate != null &&
      toDay(completedAt) > toDay(dueDate),
  },
  {
    bit: 64,
    name: 'fully_and_partially_graded',
    text: 'isFullyGraded and isPartiallyGraded are both true',
    isIn: ({ assignment }) => assignment.isFullyGraded === true && assignment.isPartiallyGraded === true,
  },
  {
    bit: 128,
    name: 'completed_at_without_completion',
    text: 'There is a completedAt without isCompleted',
    isIn: ({ assignment }) => assignment.completedAt != null && assignment.isCompleted !== true,
  },
  {
    bit: 256,
    name: 'days_overdue_without_overdue',
    text: 'numDaysOverdue is above 0, although isOverdue is false',
    isIn: ({ assignment }) => assignment.isOverdue === false && (assignment.numDaysOverdue ?? 0) > 0,
  },
  {
    bit: 512,
    name: 'two_challenges',
    text: 'challenge.id is another challenge than challengeId',
    isIn: ({ assignment: { challengeId }, challengeId: other }) =>
      !!challengeId && !!other && challengeId !== other,
  },
] as const satisfies readonly Contradiction[]

/** Bits; 0 for an event that is none of an assignment of a challenge. */
export function findContradictions({ assignment, wire }: DeliveredEvent): number {
  const sent = wire.challengeAssignment
  if (assignment === undefined || sent == null) return 0
  const content: Sent = { type: assignment.eventType, assignment: sent, challengeId: wire.challenge?.id }
  let bits = 0
  for (const { bit, isIn } of contradictions) if (isIn(content)) bits |= bit
  return bits
}

/** Whether the known fields are those of a new assignment by the specification. */
function isNew(sent: WireAssignment): boolean {
  return assignmentFieldList.every(
    ([name, { whenNew }]) => whenNew === undefined || (sent[name] ?? whenNew) === whenNew,
  )
}

function toDay(epochMs: number): number {
  return Math.floor(epochMs / 86_400_000)
}
