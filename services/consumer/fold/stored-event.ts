/** One event of one assignment as the fold sees it, its fields named after the columns. */
import { eventRanks, flagBits } from '../../../schemas/webhook/event-bits.ts'
import type { DeliveredEvent } from '../../../schemas/webhook/parse-delivery.ts'

export type StoredEvent = ReturnType<typeof toStoredEvent>

/** Times are epoch ms, 0 = unknown; ids are text, '' = unknown. */
export function toStoredEvent(event: DeliveredEvent, eventId: string) {
  const sent = event.wire.challengeAssignment ?? {}
  const rank: number = event.assignment === undefined ? 0 : eventRanks[event.assignment.eventType]
  return {
    eventId,
    eventTimeMs: event.timestamp,
    updatedAtMs: sent.updatedAt ?? 0,
    rank,
    challengeId: event.assignment?.challengeId ?? '',
    userId: event.wire.user?.id ?? '',
    status: (sent.status ?? '') as string,
    ...toFlags(sent),
    grade: sent.calculatedGrade ?? null,
    completionPercentage: sent.completionPercentage ?? null,
    daysOverdueReported: sent.numDaysOverdue ?? null,
    createdAtMs: sent.createdAt ?? 0,
    completedAtMs: sent.completedAt ?? 0,
    dueDateMs: sent.dueDate ?? 0,
    reviewersDueDateMs: sent.reviewersDueDate ?? 0,
    firstViewedAtMs: sent.firstViewedAt ?? 0,
    lastViewedAtMs: sent.lastViewedAt ?? 0,
  }
}

/** Bits of `flagBits`: which flags were sent, and which of those were true. */
function toFlags(sent: { [flag in keyof typeof flagBits]?: boolean | null | undefined }) {
  const flags = { flagsKnown: 0, flagsTrue: 0 }
  for (const [name, bit] of Object.entries(flagBits)) {
    const value = sent[name as keyof typeof flagBits]
    if (value == null) continue
    flags.flagsKnown |= bit
    if (value) flags.flagsTrue |= bit
  }
  return flags
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
