/**
 * The local log's writer. Appends gather while a commit is in progress and form the next one: one sync for all of them,
 * at any load. Commits run in a thread, so that no sync delays the loop that answers requests.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DeliverySummary } from '../../../schemas/webhook/read-delivery.ts'
import { StartError } from '../../config/start-error.ts'
import { LogUnavailableError, type LogWriter, type TakeDelivery } from '../event-log.ts'
import { LogDamagedError } from './damage/error.ts'
import { openLocalLock } from './lock.ts'
import {
  createPack,
  unpackSummaries,
  type FromThread,
  type LogFailure,
  type Pack,
  type Summaries,
  type ToThread,
} from './message.ts'
import type { LocalLimits, LocalStats } from './store.ts'
import { sizeOf } from './row.ts'
import { makeLogDirectory } from './table.ts'

export type LocalLogWriterOptions = {
  /** The log's directory; created if missing. One writer and one reader may have it open. */
  directory: string
  /** Maximum bytes that wait to be stored downstream; further appends fail. Default 10 GiB. */
  maxBytes?: number
  /** How long stored records are kept after their receipt. Default 7 days. */
  retentionMs?: number
  /** Maximum bytes of stored records. Default 0.8 of `maxBytes`: a rebuild must not fill the log. */
  retentionBytes?: number
  /** Whether the room of removed records returns to the disk. Default no: later records reuse it. */
  shrinks?: boolean
  /** Disk space reserved for emptying a full disk. Default 0. */
  reserveBytes?: number
  /** The setting behind `maxBytes`, for messages. Default LOG_MAX_BYTES. */
  limitVariable?: string
  /** Most records and bytes in memory, waiting for their sync. Default 20,000 and 64 MiB. */
  maxPendingRecords?: number
  maxPendingBytes?: number
}

export type LocalLogWriter = LogWriter & {
  /** The body is read on the thread that commits. */
  take: TakeDelivery
  /** Unanswered appends. */
  pending(): { records: number; bytes: number }
  /** As of at most about a second ago. */
  stats(): LocalStats
}

/** Maximum per transaction: bounds how long an append waits for others. */
const maxCommitRecords = 2_000
const maxCommitBytes = 8 * 1024 * 1024
/** Pause before a dead thread is restarted. */
const restartPauseMs = 500

const retryAfterMs = { LOG_FULL: 30_000, LOG_IO: 10_000, LOG_BUSY: 1_000, LOG_CLOSED: 5_000, LOG_TOO_LARGE: 3_600_000 }

/** The content of one transaction, and its waiting callers. */
type Batch = { pack: Pack; bytes: number; waiting: Waiting[] }
/** `resolve` is given a summary where the delivery was raw. */
type Waiting = { isRaw: boolean; resolve(summary?: DeliverySummary): void; reject(error: Error): void }

/** What a raw delivery costs beside its body and source: its key is not known yet. */
const rawOverheadBytes = 150

export async function openLocalLogWriter(options: LocalLogWriterOptions): Promise<LocalLogWriter> {
  const maxBytes = options.maxBytes ?? 10 * 1024 ** 3
  const limits: LocalLimits = {
    directory: options.directory,
    maxBytes,
    retentionMs: options.retentionMs ?? 7 * 24 * 60 * 60_000,
    retentionBytes: options.retentionBytes ?? Math.floor(maxBytes * 0.8),
    shrinks: options.shrinks ?? false,
    reserveBytes: options.reserveBytes ?? 0,
    limitVariable: options.limitVariable ?? 'LOG_MAX_BYTES',
  }
  const maxPendingRecords = options.maxPendingRecords ?? 20_000
  const maxPendingBytes = options.maxPendingBytes ?? 64 * 1024 ** 2

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
  let thread: Worker | undefined

  try {
    thread = await startThread()
  } catch (error) {
    lock.close()
    throw error
  }

  function startThread(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: limits })
      worker.on('message', (message: FromThread) => {
        if (message.type === 'appended') return settle(message.summaries)
        if (message.type === 'failed') return fail(message.failure)
        if (message.stats !== undefined) stats = message.stats
        if (message.type === 'state') failure = message.failure
        else resolve(worker)
      })
      worker.on('error', (given) => {
        // Its class does not survive the way out of the thread.
        const isDamaged = 'code' in given && given.code === 'LOG_DAMAGED'
        const isKnown = 'exitCode' in given
        const error = isDamaged ? new LogDamagedError(given.message) : isKnown ? new StartError(given.message) : given
        reject(error)
        void replaceThread(worker, error)
      })
      worker.on('exit', () => {
        const error = new Error('The thread of the event log ended.')
        reject(error)
        void replaceThread(worker, error)
      })
    })
  }

  /** Nothing it was working on was promised. It is restarted while the log is open. */
  async function replaceThread(worker: Worker, error: Error): Promise<void> {
    if (worker !== thread) return
    thread = undefined
    fail({ code: 'LOG_IO', message: `The event log's thread failed: ${error.message}` })
    while (thread === undefined && !isClosing) {
      await pause(restartPauseMs)
      thread = await startThread().catch(() => undefined)
    }
    if (isClosing) await thread?.terminate()
    else failure = undefined
  }

  function settle(summaries: Summaries): void {
    failure = undefined
    const said = unpackSummaries(summaries)
    let next = 0
    for (const { isRaw, resolve } of endCommit()) {
      if (isRaw) resolve(said[next++])
      else resolve()
    }
    commitNext()
  }

  function fail(problem: LogFailure): void {
    failure = problem
    for (const { reject } of endCommit()) reject(refuse(problem.code, problem.message))
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
    if (thread === undefined) return fail(failure ?? { code: 'LOG_IO', message: 'The event log is not open.' })
    const records = underWay.pack.seal()
    thread.postMessage({ type: 'append', records } satisfies ToThread, [records.bodies.buffer])
  }

  function openBatch(): Batch {
    const last = batches.at(-1)
    if (last !== undefined && last.waiting.length < maxCommitRecords && last.bytes < maxCommitBytes) return last
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
    if (isClosing) return refuse('LOG_CLOSED', 'The event log is closed.')
    if (pendingRecords < maxPendingRecords && pendingBytes + bytes <= maxPendingBytes) return undefined
    return refuse('LOG_BUSY', `${pendingRecords} records wait for the disk already.`)
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
        enqueue(sizeOf(record), (pack) => pack.add(record), { isRaw: false, resolve: () => resolve(), reject }),
      ),
    take: (delivery) =>
      new Promise<DeliverySummary>((resolve, reject) => {
        const bytes = delivery.body.byteLength + delivery.source.length + rawOverheadBytes
        const waiting: Waiting = { isRaw: true, resolve: resolve as Waiting['resolve'], reject }
        enqueue(bytes, (pack) => pack.addRaw(delivery), waiting)
      }),
    health() {
      if (isClosing) return { ok: false, reason: 'The event log is closed.' }
      if (failure !== undefined) return { ok: false, reason: failure.message }
      const { lostRecords, unguarded } = stats
      // How many acknowledged deliveries is the ledger's to say: the log does not know of those that it lost without a trace.
      if (lostRecords > 0)
        return {
          ok: true,
          note: 'The event log has lost deliveries. How many: rollcall ledger. Where: rollcall log check.',
        }
      if (unguarded === undefined) return { ok: true }
      return {
        ok: true,
        note: `In ${options.directory}, ${unguarded}: a loss of the last records would not be noticed.`,
      }
    },
    pending: () => ({ records: pendingRecords, bytes: pendingBytes }),
    stats: () => stats,
    async close() {
      if (isClosing) return
      isClosing = true
      if (pendingRecords > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      if (thread !== undefined) {
        const ended = new Promise((resolve) => thread?.once('exit', resolve))
        thread.postMessage({ type: 'close' } satisfies ToThread)
        await ended
      }
      lock.close()
    },
  }
}

function refuse(code: LogUnavailableError['code'], message: string): LogUnavailableError {
  return new LogUnavailableError(code, message, { retryAfterMs: retryAfterMs[code] })
}
