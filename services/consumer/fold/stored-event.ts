/** One event of one assignment as the fold sees it. Times are epoch ms, 0 = unknown; ids are text, '' = unknown. */
export type StoredEvent = {
  eventId: string
  eventTimeMs: number
  updatedAtMs: number
  /** Created 1, Progress 2, Completed 3, Deleted 4. */
  rank: number
  challengeId: string
  userId: string
  status: string
  flags: EventFlags
  grade: number | null
  completionPercentage: number | null
  daysOverdueReported: number | null
  createdAtMs: number
  completedAtMs: number
  dueDateMs: number
  reviewersDueDateMs: number
  firstViewedAtMs: number
  lastViewedAtMs: number
}

/** Flags as sent: which were known, and which of those were true. Bits of `flagBits`. */
export type EventFlags = { known: number; true: number }

export const flagBits = {
  isCompleted: 1,
  isCompletedOnTime: 2,
  isFullyGraded: 4,
  isOverdue: 8,
  isPartiallyGraded: 16,
  isSubmitted: 32,
  passed: 64,
} as const

export const rankOf = {
  'assignmentCreated.challenge': 1,
  'assignmentProgress.challenge': 2,
  'assignmentCompleted.challenge': 3,
  'assignmentDeleted.challenge': 4,
} as const

/** The event order of METRICS.md: event time, then updatedAt, then rank, then event id as text. */
export function compareEvents(a: StoredEvent, b: StoredEvent): number {
  return (
    a.eventTimeMs - b.eventTimeMs ||
    a.updatedAtMs - b.updatedAtMs ||
    a.rank - b.rank ||
    (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0)
  )
}
