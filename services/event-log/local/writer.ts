/**
 * The local log's writer. Appends gather while a commit is in progress and form the next one: one sync for all of them,
 * at any load. Commits run in a thread, so that no sync delays the loop that answers requests.
 */
import { Worker } from 'node:worker_threads'
import type { DeliverySummary } from '../../../schemas/webhook/parse-delivery.ts'
import { StartError } from '../../config/start-error.ts'
import {
  closed,
  LogUnavailableError,
  type LogFailure,
  type LogWriter,
  type TakeDelivery,
} from '../event-log.ts'
import { openLocalLock } from './lock.ts'
import {
  createPack,
  unpackSummaries,
  type FromThread,
  type Pack,
  type Summaries,
  type ToThread,
} from './message.ts'
import type { LocalLimits, LocalStats } from './store.ts'
import { sizeOf } from './row.ts'
import { makeLogDirectory } from './table.ts'

export type LocalLogWriterOptions = Partial<LocalLimits> & {
  /** The log's directory; created if missing. One writer and one reader may have it open. */
  directory: string
  /** Most records in memory that wait for their sync. Default 20,000; their bytes are at most 64 MiB. */
  maxPendingRecords?: number | undefined
}

export type LocalLogWriter = LogWriter & {
  /** The body is read on the thread that commits. */
  take: TakeDelivery
  pending(): { records: number; bytes: number }
  /** As of at most about a second ago. */
  stats(): LocalStats
}

/** Maximum per transaction: bounds how long an append waits for others. */
const maxCommitRecords = 2_000
const maxCommitBytes = 8 * 1024 * 1024
const maxPendingBytes = 64 * 1024 ** 2

/** The content of one transaction, and its waiting callers. */
type Batch = { pack: Pack; bytes: number; waiting: Waiting[] }
/** `resolve` is given a summary where the delivery was raw. */
type Waiting = { isRaw: boolean; resolve(summary?: DeliverySummary): void; reject(error: Error): void }

/** The bytes of a raw delivery beside its body and source: its key is not known yet. */
const rawOverheadBytes = 150

export async function openLocalLogWriter(options: LocalLogWriterOptions): Promise<LocalLogWriter> {
  const { maxPendingRecords = 20_000, maxBytes = 10 * 1024 ** 3, ...others } = options
  const limits: LocalLimits = {
    maxBytes,
    retentionMs: 7 * 24 * 60 * 60_000,
    retentionBytes: Math.floor(maxBytes * 0.8),
    reserveBytes: 0,
    limitVariable: 'LOG_MAX_BYTES',
    ...others,
  }

  makeLogDirectory(options.directory)
  const lock = openLocalLock(options.directory, 'writer')
  /** The last one still accepts records. */
  const batches: Batch[] = []
  let underWay: Batch | undefined
  let pendingRecords = 0
  let pendingBytes = 0
  let failure: LogFailure | undefined
  let isClosing = false
  let isScheduled = false
  let onIdle: (() => void) | undefined
  let stats: LocalStats
  let isOpen = false
  const opened = Promise.withResolvers<void>()
  const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: limits })
  thread.on('message', (message: FromThread) => {
    if (message.type === 'appended') return settle(message.summaries)
    if (message.type === 'failed') return fail(message.failure)
    if (message.stats !== undefined) stats = message.stats
    if (message.type === 'state') failure = message.failure
    else opened.resolve()
  })
  // Its class does not survive the way out of the thread.
  thread.on('error', (cause) => onEnd('exitCode' in cause ? new StartError(cause.message) : cause))
  thread.on('exit', () => onEnd(new Error('The thread of the event log ended.')))
  await opened.promise.catch((error: unknown) => {
    lock.close()
    throw error
  })
  isOpen = true

  /** Nothing that an open one was working on was promised: the process ends, and is started again. */
  function onEnd(error: Error): void {
    if (isOpen && !isClosing) throw error
    opened.reject(error)
  }

  function settle(summaries: Summaries): void {
    failure = undefined
    const answers = unpackSummaries(summaries)
    let next = 0
    for (const { isRaw, resolve } of endCommit()) {
      if (isRaw) resolve(answers[next++])
      else resolve()
    }
    commitNext()
  }

  function fail(problem: LogFailure): void {
    failure = problem
    for (const { reject } of endCommit()) reject(new LogUnavailableError(problem))
    commitNext()
  }

  function endCommit(): readonly Waiting[] {
    const settled = underWay
    underWay = undefined
    if (settled === undefined) return []
    pendingRecords -= settled.waiting.length
    pendingBytes -= settled.bytes
    return settled.waiting
  }

  function commitNext(): void {
    if (underWay !== undefined) return
    underWay = batches.shift()
    if (underWay === undefined) return onIdle?.()
    const records = underWay.pack.seal()
    thread.postMessage({ type: 'append', records } satisfies ToThread, [records.bodies.buffer])
  }

  function openBatch(): Batch {
    const last = batches.at(-1)
    if (last !== undefined && last.waiting.length < maxCommitRecords && last.bytes < maxCommitBytes)
      return last
    const batch: Batch = { pack: createPack(), bytes: 0, waiting: [] }
    batches.push(batch)
    return batch
  }

  /** At the end of this turn of the event loop, so that all requests of the turn share the sync. */
  function schedule(): void {
    if (isScheduled || underWay !== undefined) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      commitNext()
    })
  }

  function findRefusal(bytes: number): LogUnavailableError | undefined {
    if (isClosing) return new LogUnavailableError(closed)
    if (pendingRecords < maxPendingRecords && pendingBytes + bytes <= maxPendingBytes) return undefined
    return new LogUnavailableError({
      code: 'LOG_BUSY',
      message: `${pendingRecords} records wait for the disk already.`,
    })
  }

  /** `add` puts it into the pack of the next commit. */
  function enqueue(bytes: number, add: (pack: Pack) => void, waiting: Waiting): void {
    const refusal = findRefusal(bytes)
    if (refusal !== undefined) return waiting.reject(refusal)
    pendingRecords++
    pendingBytes += bytes
    const batch = openBatch()
    add(batch.pack)
    batch.bytes += bytes
    batch.waiting.push(waiting)
    schedule()
  }

  return {
    append: (record) =>
      new Promise<void>((resolve, reject) =>
        enqueue(sizeOf(record), (pack) => pack.add(record), {
          isRaw: false,
          resolve: () => resolve(),
          reject,
        }),
      ),
    take: (delivery) =>
      new Promise<DeliverySummary>((resolve, reject) => {
        const bytes = delivery.body.byteLength + delivery.source.length + rawOverheadBytes
        const waiting: Waiting = { isRaw: true, resolve: resolve as Waiting['resolve'], reject }
        enqueue(bytes, (pack) => pack.addRaw(delivery), waiting)
      }),
    health() {
      if (isClosing) return { ok: false, reason: closed.message }
      if (failure !== undefined) return { ok: false, reason: failure.message }
      return { ok: true }
    },
    pending: () => ({ records: pendingRecords, bytes: pendingBytes }),
    stats: () => stats,
    async close() {
      if (isClosing) return
      isClosing = true
      if (pendingRecords > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      thread.postMessage({ type: 'close' } satisfies ToThread)
      await ended
      lock.close()
    },
  }
}
