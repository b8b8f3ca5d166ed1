/**
 * The event log: the records between "acknowledged" and "stored". Two adapters keep these promises and pass
 * `test/event-log/contract.ts`: a durable local log (embedded) and Kafka (distributed).
 * Records of one key are in one partition, in the order of their appends. Offsets rise within a partition; they may have
 * gaps, and mean nothing across partitions.
 */

import type { DeliverySummary } from '../../schemas/webhook/parse-delivery.ts'

/** One delivery, as it arrived. `parseDelivery`, which ingest and the consumer share, decides its meaning. */
export type LogRecord = {
  /** The log's key: the assignment id, or the event id where there is none. */
  key: string
  /** First 32 lowercase hex digits of SHA-256 over `body`. */
  eventId: string
  /** Name of the ingest token that it came with. */
  source: string
  /** When ingest had the whole body, epoch ms. */
  receivedAt: number
  /** The raw body, byte for byte. */
  body: Uint8Array
  /** What was odd about the request, as `(address) (content-type)`. Left out: nothing. */
  oddRequest?: string
  /** The log was damaged where it kept this: the body is not as received. It becomes a failed event. */
  isDamaged?: true
}

/** A delivery whose body has not been read yet. */
export type RawDelivery = Pick<LogRecord, 'source' | 'receivedAt' | 'body' | 'oddRequest'>

/**
 * Reads a delivery (`readDelivery`) and appends it. Resolves, once it is durable, to what there is to say about it; rejects as
 * `append` does.
 */
export type TakeDelivery = (delivery: RawDelivery) => Promise<DeliverySummary>

export type LogWriter = {
  /**
   * Resolves once the record is durable, never before. Rejects with a `LogUnavailableError` when nothing was promised:
   * the caller must not acknowledge. Memory is bounded: past the adapter's limit it rejects at once.
   */
  append(record: LogRecord): Promise<void>
  /** Waits for appends in progress, then closes the log. */
  close(): Promise<void>
}

export async function appendAll(
  log: Pick<LogWriter, 'append'>,
  records: readonly LogRecord[],
): Promise<void> {
  await Promise.all(records.map((record) => log.append(record)))
}

export type PositionedRecord = LogRecord & { offset: number }

export type LogBatch = {
  partition: number
  /**
   * Offsets ascending. Those from `from` to before `next` that have no record are no deliveries, such as marks and aborted records of
   * transactions; a batch without a record only says that.
   */
  records: PositionedRecord[]
  from: number
  /** Where the next batch begins, unless records are removed before they are read. */
  next: number
  /**
   * Everything of the partition that was acknowledged before this instant (epoch ms) is in this batch or an earlier one.
   * Undefined if more may be in the log, or the log does not know (Kafka).
   */
  caughtUp?: number | undefined
  /** Tells the log that the handler is alive; call it between long steps. */
  heartbeat(): Promise<void>
  /** True once another reader owns the partition: stop, and write nothing more. */
  isStale(): boolean
}

/** Its calls never overlap, for any partition. */
export type BatchHandler = {
  /**
   * Where to resume in a partition: the offset after the last one stored downstream, or 0. Called at every assignment. Throws a
   * `StartError` if another log than this one was read before.
   */
  resumeFrom(partition: number, logId: string): Promise<number>
  /**
   * Stores a batch. The reader does not continue in this partition before it resolves. If it rejects, the reader calls
   * `resumeFrom` again after a pause and delivers from there.
   */
  handle(batch: LogBatch): Promise<void>
  /**
   * Called when a partition was read to its end and everything read has been handled: everything acknowledged before
   * `asOf` (epoch ms, taken before the read that came to the end) is stored. At most about once a second, also while
   * records keep arriving; only a reader that lags behind does not call it.
   */
  caughtUp(partition: number, nextOffset: number, asOf: number): Promise<void>
  /**
   * The log has this many partitions now. Once it resolves, nothing counts as complete before each of them has a position. Called
   * for the first count, and for each that differs.
   */
  counted?(partitions: number, logId: string): Promise<void>
}

export type ReaderOptions = {
  /** Most records in one batch. */
  maxBatchRecords: number
  /** Most bytes of bodies in one batch; one larger record still makes a batch of its own. */
  maxBatchBytes: number
  /** Minimum time between the starts of two batches while the reader keeps up: fuller batches, fewer inserts. */
  minBatchIntervalMs: number
}

export type LogReader = {
  /**
   * Starts delivering; returns at once. Errors of the handler are retried without limit and reported through `onError`.
   */
  start(handler: BatchHandler, options: ReaderOptions, onError: (error: unknown) => void): void
  /** Per partition: the number of unhandled records, and the age of the oldest. */
  lag(): Promise<{ partition: number; records: number; oldestMs: number }[]>
  /** The partitions that this reader owns. The owner of partition 0 does what only one process may do. */
  assigned(): number[]
  /** Waits for the batch in progress, then stops. */
  close(): Promise<void>
}

/** When to try again. LOG_TOO_LARGE: the log will never take this record; all others may succeed later. */
const retryAfterMs = {
  LOG_FULL: 30_000,
  LOG_IO: 10_000,
  LOG_BUSY: 1_000,
  LOG_CLOSED: 5_000,
  LOG_TOO_LARGE: 3_600_000,
}

export type LogFailure = { code: keyof typeof retryAfterMs; message: string }

export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError'
  readonly code: LogFailure['code']
  readonly retryAfterMs: number
  constructor({ code, message }: LogFailure, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs[code]
  }
}

/** The answer of every log to an append after its close. */
export const closed: LogFailure = { code: 'LOG_CLOSED', message: 'The event log is closed.' }
