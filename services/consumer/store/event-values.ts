/** How events are read back for the fold. By the ten thousands, hence as lists of values. */
import type { StoredEvent } from '../fold/stored-event.ts'

/** An event of an assignment, and where the log holds the delivery that brought it. */
export type EventOfAssignment = StoredEvent & { akey: string; assignmentId: string; partition: number; offset: number }

/** A row of `events-of-assignments.sql`, in the order of its columns. */
export type EventValues = [
  akey: string,
  assignmentId: string,
  eventId: string,
  eventTimeMs: number,
  updatedAtMs: number,
  rank: number,
  challengeId: string,
  userId: string,
  status: string,
  flagsKnown: number,
  flagsTrue: number,
  grade: number | null,
  completionPercentage: number | null,
  daysOverdueReported: number | null,
  createdAtMs: number,
  completedAtMs: number,
  dueDateMs: number,
  reviewersDueDateMs: number,
  firstViewedAtMs: number,
  lastViewedAtMs: number,
  partition: number,
  offset: number,
]

export function toEvent(values: EventValues): EventOfAssignment {
  const [
    akey,
    assignmentId,
    eventId,
    eventTimeMs,
    updatedAtMs,
    rank,
    challengeId,
    userId,
    status,
    flagsKnown,
    flagsTrue,
    grade,
    completionPercentage,
    daysOverdueReported,
    createdAtMs,
    completedAtMs,
    dueDateMs,
    reviewersDueDateMs,
    firstViewedAtMs,
    lastViewedAtMs,
    partition,
    offset,
  ] = values
  return {
    akey,
    assignmentId,
    eventId,
    eventTimeMs,
    updatedAtMs,
    rank,
    challengeId,
    userId,
    status,
    flags: { known: flagsKnown, true: flagsTrue },
    grade,
    completionPercentage,
    daysOverdueReported,
    createdAtMs,
    completedAtMs,
    dueDateMs,
    reviewersDueDateMs,
    firstViewedAtMs,
    lastViewedAtMs,
    partition,
    offset,
  }
}
