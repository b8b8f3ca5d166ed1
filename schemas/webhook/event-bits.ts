/** How the store keeps what an event says: numbers in `event_rows` that never change their meaning. */
import { hash } from 'node:crypto'

/** Bits of `flags_known` (the flag was sent) and `flags_true` (it was true). */
export const flagBits = {
  isCompleted: 1,
  isCompletedOnTime: 2,
  isFullyGraded: 4,
  isOverdue: 8,
  isPartiallyGraded: 16,
  isSubmitted: 32,
  passed: 64,
} as const

/** `rank`: the order of events of one moment. 0 = none of these types. */
export const eventRanks = {
  'assignmentCreated.challenge': 1,
  'assignmentProgress.challenge': 2,
  'assignmentCompleted.challenge': 3,
  'assignmentDeleted.challenge': 4,
} as const

/**
 * `akey` of the tables: the first 64 bits of SHA-256 of an assignment id, as the decimal text of a UInt64. An event without an
 * assignment has the key of its event id.
 */
export function toAssignmentKey(id: string): string {
  return BigInt(`0x${hash('sha256', id, 'hex').slice(0, 16)}`).toString()
}
