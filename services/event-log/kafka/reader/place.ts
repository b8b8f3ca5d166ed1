/** Where reading a partition begins, and whether the client is where it should be. */
import type { Admin } from 'kafkajs'
import type { Lease } from './lease.ts'

/** Where the store wants to resume is not in the log. `missing` records are gone: removed before they were stored. */
export type LogGap =
  | { reason: 'removed'; partition: number; from: number; to: number; missing: number }
  /** The log ends before, or has another record there: it is not the one that the store has read. All of it is read. */
  | { reason: 'other_log'; partition: number; from: number; to: number; missing: 0 }

export async function readOffsets(admin: Admin, topic: string, leases: Iterable<Lease>): Promise<void> {
  const offsets = await admin.fetchTopicOffsets(topic)
  const byPartition = new Map(offsets.map((entry) => [entry.partition, entry]))
  for (const lease of leases) {
    const place = byPartition.get(lease.partition)
    if (place === undefined) throw new Error(`Partition ${lease.partition} of ${topic} is not there`)
    lease.lowOffset = Number(place.low)
    lease.endOffset = Number(place.high)
  }
}

/** The position of the store, where the log still has it. */
export function findStart(lease: Lease, stored: number, onGap: (gap: LogGap) => void): number {
  const { partition, lowOffset, endOffset } = lease
  if (stored < lowOffset) {
    const missing = lowOffset - stored
    // A store that has nothing is being filled from the rest of the log: that is not a loss.
    if (stored > 0) onGap({ reason: 'removed', partition, from: stored, to: lowOffset, missing })
    return lowOffset
  }
  if (stored <= endOffset) return stored
  onGap({ reason: 'other_log', partition, from: stored, to: lowOffset, missing: 0 })
  return lowOffset
}

/**
 * The client goes elsewhere by itself after "offset out of range", or with a fetch of an earlier assignment; going along
 * would skip records. Only where it insists, after a seek, there is nothing of ours between: marks of transactions.
 */
export function isFromPosition(lease: Lease, fetchedOffset: number): boolean {
  const { position } = lease
  if (position === fetchedOffset) {
    lease.strayOffset = undefined
    return true
  }
  const isInsisting = lease.strayOffset === fetchedOffset && fetchedOffset > (position ?? Infinity)
  if (isInsisting && lease.lowOffset <= (position ?? 0)) {
    lease.position = fetchedOffset
    lease.strayOffset = undefined
    return true
  }
  lease.strayOffset = fetchedOffset
  return false
}
