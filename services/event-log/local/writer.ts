/**
 * The local log's writer. Appends gather while a commit is in progress and form the next one: one sync for all of them,
 * at any load. Commits run in a thread, so that no sync delays the loop that answers requests.
 */
import { Worker } from 'node:worker_threads'
import type { DeliverySummary } from '../../../schemas/webhook/parse-delivery.ts'
import type { Health } from '../../runtime/http/health.ts'
import { StartError } from '../../config/start-error.ts'
import {
  closed,
  LogUnavailableError,
  type LogFailure,
  type LogWriter,
  type TakeDelivery,
} from '../event-log.ts'
import { openLocalLock } from './lock.ts'
import { packRecords, type Delivery, type FromThread, type ToThread } from './message.ts'
import type { LocalLimits, LocalStats } from './store.ts'
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
  /** Whether an append should work now; `reason`: the way out if not. */
  health(): Health
  /** As of at most about a second ago. */
  stats(): LocalStats
}

/** Maximum per transaction: bounds how long an append waits for others. */
const maxCommitRecords = 2_000
const maxCommitBytes = 8 * 1024 ** 2
const maxPendingBytes = 64 * 1024 ** 2
/** The bytes of a record beside its body and source. The key of a raw delivery is not known yet. */
const overheadBytes = 150

type Waiting = {
  delivery: Delivery
  bytes: number
  resolve(summary: DeliverySummary): void
  reject(error: Error): void
}

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
  const waiting: Waiting[] = []
  let underWay: Waiting[] = []
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
    if (message.type === 'appended') {
      failure = undefined
      const summaries = JSON.parse(message.summaries) as DeliverySummary[]
      return settle(({ resolve }, index) => resolve(summaries[index] as DeliverySummary))
    }
    if (message.type === 'failed') {
      failure = message.failure
      return settle(({ reject }) => reject(new LogUnavailableError(message.failure)))
    }
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

  function settle(answer: (waiting: Waiting, index: number) => void): void {
    const settled = underWay
    underWay = []
    for (const { bytes } of settled) pendingBytes -= bytes
    settled.forEach(answer)
    commitNext()
  }

  function commitNext(): void {
    isScheduled = false
    if (underWay.length > 0) return
    let bytes = 0
    const end = waiting.findIndex((each, at) => (bytes += each.bytes) > maxCommitBytes && at > 0)
    underWay = waiting.splice(0, Math.min(end === -1 ? waiting.length : end, maxCommitRecords))
    if (underWay.length === 0) return onIdle?.()
    const records = packRecords(underWay.map(({ delivery }) => delivery))
    thread.postMessage({ type: 'append', records } satisfies ToThread, [records.bodies.buffer])
  }

  function enqueue(delivery: Delivery): Promise<DeliverySummary> {
    if (isClosing) return Promise.reject(new LogUnavailableError(closed))
    const records = waiting.length + underWay.length
    const bytes = delivery.body.byteLength + delivery.source.length + overheadBytes
    if (records >= maxPendingRecords || pendingBytes + bytes > maxPendingBytes) {
      const message = `${records} records wait for the disk already.`
      return Promise.reject(new LogUnavailableError({ code: 'LOG_BUSY', message }))
    }
    pendingBytes += bytes
    const { promise, resolve, reject } = Promise.withResolvers<DeliverySummary>()
    waiting.push({ delivery, bytes, resolve, reject })
    // At the end of this turn of the event loop, so that all requests of the turn share the sync.
    if (!isScheduled && underWay.length === 0) {
      isScheduled = true
      setImmediate(commitNext)
    }
    return promise
  }

  return {
    append: async (record) => void (await enqueue(record)),
    take: enqueue,
    health() {
      if (isClosing) return { ok: false, reason: closed.message }
      if (failure !== undefined) return { ok: false, reason: failure.message }
      return { ok: true }
    },
    stats: () => stats,
    async close() {
      if (isClosing) return
      isClosing = true
      if (pendingBytes > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      thread.postMessage({ type: 'close' } satisfies ToThread)
      await ended
      lock.close()
    },
  }
}
