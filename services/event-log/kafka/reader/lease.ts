/** One partition while it is this reader's: how far it is handled, and what is known of its end. */
import type { Admin, Consumer } from 'kafkajs'
import { createBackoff } from '../../../runtime/backoff.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { BatchHandler, PositionedRecord, ReaderOptions } from '../../event-log.ts'
import { isGroupError, isMembershipLost } from '../errors.ts'

/** What the parts of a session share. */
export type SessionContext = {
  consumer: Consumer
  admin: Admin
  topic: string
  handler: BatchHandler
  leases: Leases
  logger: Logger
  /** Runs one call of the handler at a time. */
  exclusive: <T>(step: () => Promise<T>) => Promise<T>
  onError: (error: unknown) => void
}

export type Lease = ReturnType<typeof createLease>

const firstRetryMs = 100
const maxRetryMs = 5_000

function createLease(partition: number, stopping: AbortSignal) {
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
    oldestAt: Date.now(),
    /** Everything acknowledged before `asOf` has an offset below `endOffset`. */
    target: undefined as { asOf: number; endOffset: number } | undefined,
    backoff: createBackoff(firstRetryMs, maxRetryMs, stopping),
  }
}

export type Leases = ReturnType<typeof createLeases>

/** The partitions of a session: those that the group last assigned to it, for as long as the coordinator hears of it. */
export function createLeases(sessionTimeoutMs: number, stopping: AbortSignal) {
  let leases = new Map<number, Lease>()
  let heardAt = Date.now()
  let groupError: unknown
  const isOurs = (lease: Lease) => leases.get(lease.partition) === lease
  // By the wall clock, because it runs while the machine sleeps.
  const silentMs = () => Date.now() - heardAt
  const isMember = () => groupError === undefined && silentMs() < sessionTimeoutMs
  return {
    /** In the place of all before. */
    assign(partitions: readonly number[]): Lease[] {
      groupError = undefined
      leases = new Map(partitions.map((partition) => [partition, createLease(partition, stopping)]))
      return [...leases.values()]
    },
    /** The coordinator has answered a request that was sent at `sentAt`. */
    heard: (sentAt: number): void => void (heardAt = Math.max(heardAt, sentAt)),
    /** A heartbeat has failed. A broker that is away does not end a batch that is still ours. */
    refused(error: unknown): void {
      if (isMembershipLost(error) || (groupError === undefined && isGroupError(error))) groupError = error
    },
    /** The client joins the group again when its own error comes back to it. */
    throwGroupError(): void {
      if (groupError !== undefined) throw groupError
    },
    silentMs,
    /** `undefined`: not ours, or the session is stopping. */
    get: (partition: number) => (stopping.aborted ? undefined : leases.get(partition)),
    all: () => [...leases.values()],
    /** Empty once the group has given the partitions to another member, which then reports what waits. */
    lag: () => (isMembershipLost(groupError) ? [] : [...leases.values()].map(toLag)),
    assigned: () => (isMember() && !stopping.aborted ? [...leases.keys()] : []),
    /** Ours, and the session is not stopping. */
    isCurrent: (lease: Lease) => isOurs(lease) && !stopping.aborted,
    /** For a batch in progress, which may finish while the session is stopping. */
    isStale: (lease: Lease) => !isOurs(lease) || !isMember(),
  }
}

function toLag({ partition, endOffset, reached, lowOffset, oldestAt }: Lease) {
  const records = Math.max(0, endOffset - (reached ?? lowOffset))
  return { partition, records, oldestMs: records === 0 ? 0 : Math.max(0, Date.now() - oldestAt) }
}

type Filled<T> = [T, ...T[]]

/** Splits fetched records into batches within the limits; one larger record is a batch of its own. */
export function cutBatches(
  records: readonly PositionedRecord[],
  { maxBatchRecords, maxBatchBytes }: ReaderOptions,
): Filled<PositionedRecord>[] {
  const batches: Filled<PositionedRecord>[] = []
  let bytes = 0
  for (const record of records) {
    const batch = batches.at(-1)
    bytes += record.body.byteLength
    if (batch !== undefined && batch.length < maxBatchRecords && bytes <= maxBatchBytes) batch.push(record)
    else {
      batches.push([record])
      bytes = record.body.byteLength
    }
  }
  return batches
}
