/** How the store keeps what an event says, by the tables of event.ts. */
import { hash } from 'node:crypto'
import { assignmentEvents, assignmentFieldList, type AssignmentEventType, type FieldOfType } from './event.ts'

/** In `flags_known` and `flags_true`. */
export const flagBits = Object.fromEntries(
  assignmentFieldList.flatMap(([name, { bit }]) => (bit === undefined ? [] : [[name, 1 << bit]])),
) as Record<FieldOfType<'flag'>, number>

/** `type_number`; 0 = none of these types. */
export const eventNumbers = Object.fromEntries(
  Object.entries(assignmentEvents).map(([type, { number }]) => [type, number]),
) as Record<AssignmentEventType, number>

/** As events of one moment follow each other. */
export const numbersInOrder: readonly number[] = Object.values(assignmentEvents)
  .toSorted((a, b) => a.order - b.order)
  .map(({ number }) => number)

/**
 * `akey` of the tables: the first 64 bits of SHA-256 of an assignment id, as the decimal text of a UInt64. An event without an
 * assignment has the key of its event id.
 */
export function toAssignmentKey(id: string): string {
  return BigInt(`0x${hash('sha256', id, 'hex').slice(0, 16)}`).toString()
}
