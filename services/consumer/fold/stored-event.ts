/** One event of one assignment as the fold sees it. Times are epoch ms, 0 = unknown; ids are text, '' = unknown. */
export type StoredEvent = {
  eventId: string
  eventTimeMs: number
  updatedAtMs: number
  /** Of `eventRanks`. */
  rank: number
  challengeId: string
  userId: string
  status: string
  /** Bits of `flagBits`: which flags were sent, and which of those were true. */
  flagsKnown: number
  flagsTrue: number
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

/** The event order of METRICS.md: event time, then updatedAt, then rank, then event id as text. */
export function compareEvents(a: StoredEvent, b: StoredEvent): number {
  return (
    a.eventTimeMs - b.eventTimeMs ||
    a.updatedAtMs - b.updatedAtMs ||
    a.rank - b.rank ||
    (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0)
  )
}
