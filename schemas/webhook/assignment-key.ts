import { hash } from 'node:crypto'

/**
 * `akey` of the tables: the first 64 bits of SHA-256 of an assignment id, as the decimal text of a UInt64. An event without an
 * assignment has the key of its event id.
 */
export function toAssignmentKey(id: string): string {
  return BigInt(`0x${hash('sha256', id, 'hex').slice(0, 16)}`).toString()
}
