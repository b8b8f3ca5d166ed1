/** One partition while it is this reader's: how far it is handled, and what is known of its end. */
import type { Admin } from 'kafkajs'
import type { Logger } from '../../../runtime/logger.ts'
import type { BatchHandler, PositionedRecord, ReaderOptions } from '../../event-log.ts'
import type { Membership } from './membership.ts'

/** The context that the parts of a session share. */
export type SessionContext = {
  admin: Admin
  topic: string
  handler: BatchHandler
  leases: Leases
  membership: Membership
  logger: Logger
  /** Runs one call of the handler at a time. */
  exclusive: <T>(step: () => Promise<T>) => Promise<T>
  onError: (error: unknown) => void
}

export type Lease = ReturnType<typeof createLease>

export const firstRetryMs = 100
const maxRetryMs = 5_000

function createLease(partition: number, now: number) {
  return {
    partition,
    /** The offset to handle next; `undefined` while the handler has not said where to resume. */
    position: undefined as number | undefined,
    /** The position that the handler knows, also while a new one is requested. */
    reached: undefined as number | undefined,
    /** First and next offset of the log, as last heard. */
    lowOffset: 0,
    endOffset: 0,
    /** No record that waits was received before. */
    oldestAt: now,
    /** Everything acknowledged before `asOf` has an offset below `endOffset`. */
    target: undefined as { asOf: number; endOffset: number } | undefined,
    retryMs: firstRetryMs,
    /** A fetch has failed: perhaps the topic was gone, and the next records are of another one. */
    isDoubtful: false,
  }
}

export type Leases = ReturnType<typeof createLeases>

/** The partitions of a session: those that the group last assigned to it. */
export function createLeases(stopping: AbortSignal) {
  let leases = new Map<number, Lease>()
  const isOurs = (lease: Lease) => leases.get(lease.partition) === lease
  return {
    /** In the place of all before. */
    assign(partitions: readonly number[]): Lease[] {
      const now = Date.now()
      leases = new Map(partitions.map((partition) => [partition, createLease(partition, now)]))
      return [...leases.values()]
    },
    /** `undefined`: not ours, or the session is stopping. */
    get: (partition: number) => (stopping.aborted ? undefined : leases.get(partition)),
    all: () => [...leases.values()],
    isOurs,
    /** Ours, and the session is not stopping. */
    isCurrent: (lease: Lease) => isOurs(lease) && !stopping.aborted,
  }
}

export function nextRetryMs(lease: Lease): number {
  const { retryMs } = lease
  lease.retryMs = Math.min(retryMs * 2, maxRetryMs)
  return retryMs
}

export function toLag(lease: Lease, now: number): { partition: number; records: number; oldestMs: number } {
  const records = Math.max(0, lease.endOffset - (lease.reached ?? lease.lowOffset))
  return {
    partition: lease.partition,
    records,
    oldestMs: records === 0 ? 0 : Math.max(0, now - lease.oldestAt),
  }
}

/** Splits fetched records into batches within the limits; one larger record is a batch of its own. */
export function* cutBatches(
  records: Iterable<PositionedRecord>,
  { maxBatchRecords, maxBatchBytes }: ReaderOptions,
): Generator<[PositionedRecord, ...PositionedRecord[]]> {
  let batch: PositionedRecord[] = []
  let bytes = 0
  for (const record of records) {
    const isFull = batch.length >= maxBatchRecords || bytes + record.body.byteLength > maxBatchBytes
    if (isFull && isFilled(batch)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(record)
    bytes += record.body.byteLength
  }
  if (isFilled(batch)) yield batch
}

function isFilled<T>(list: T[]): list is [T, ...T[]] {
  return list.length > 0
}

// Where reading a partition begins, and whether the client is where it should be.

/** Where the store wants to resume is not in the log any more: records were removed before they were stored. */
export type LogGap = { partition: number; from: number; to: number; missing: number }

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
export function findStart(
  { partition, lowOffset }: Lease,
  stored: number,
  onGap: (gap: LogGap) => void,
): number {
  if (stored >= lowOffset) return stored
  // A store that has nothing is being filled from the rest of the log: that is not a loss.
  if (stored > 0) onGap({ partition, from: stored, to: lowOffset, missing: lowOffset - stored })
  return lowOffset
}
