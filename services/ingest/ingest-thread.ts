/** Ingest in a thread of this process, as embedded mode runs it: how to start, watch and stop it from the main thread. */
import { Worker } from 'node:worker_threads'
import { LogUnavailableError, type LogRecord } from '../event-log/event-log.ts'
import type { LocalStats } from '../event-log/local/store.ts'
import type { Health } from '../runtime/health.ts'
import { StartError } from '../runtime/start-error.ts'
import type { MetricsSnapshot } from '../runtime/telemetry.ts'
import type { Refusal } from './refusals.ts'
import type { FromIngestThread, IngestThreadOptions, ToIngestThread } from './thread-message.ts'

export type IngestThread = {
  port: number
  /** Of this machine: `http://host:port`. */
  url: string
  isReady(): Health
  /** How full the event log is, as of about a second ago. */
  logStats(): LocalStats
  /** The last requests that were refused and not kept, newest first. */
  refusals(): Refusal[]
  snapshot(): Promise<MetricsSnapshot>
  /**
   * For records that did not come by a webhook. Resolves once all are durable; rejects with a `LogUnavailableError` when not
   * all are, and appending them again is then harmless.
   */
  append(records: LogRecord[]): Promise<void>
  /** Finishes the requests under way, cuts them after `timeoutMs`, closes the log and ends the thread. */
  close(timeoutMs: number): Promise<void>
}

/** `onFailure` is called when the thread ends by itself; nothing acknowledged is lost by that, but nothing is taken either. */
export async function openIngestThread(
  options: IngestThreadOptions,
  onFailure: (error: Error) => void,
): Promise<IngestThread> {
  const worker = new Worker(new URL('./thread-main.ts', import.meta.url), { workerData: options })
  const asked = new Map<number, PromiseWithResolvers<MetricsSnapshot>>()
  const appending = new Map<number, PromiseWithResolvers<void>>()
  let nextId = 0
  let health: Health = { ok: false, reason: 'ingest is starting' }
  let stats: LocalStats = { firstOffset: 0, nextOffset: 0, waitingBytes: 0, keptBytes: 0, lostRecords: 0 }
  let refusals: Refusal[] = []
  let isClosing = false
  const started = Promise.withResolvers<{ port: number; url: string }>()
  const ended = Promise.withResolvers<void>()
  let isStarted = false
  let failure: Error | undefined

  const tell = (message: ToIngestThread) => worker.postMessage(message)

  worker.on('message', (message: FromIngestThread) => {
    if (message.type === 'listening') {
      isStarted = true
      started.resolve({ port: message.port, url: message.url })
    } else if (message.type === 'notStarted') {
      started.reject(message.isKnown ? new StartError(message.message) : new Error(message.message))
    } else if (message.type === 'state') {
      health = message.health
      stats = message.stats
      refusals = message.refusals
    } else if (message.type === 'metrics') {
      asked.get(message.id)?.resolve(message.snapshot)
      asked.delete(message.id)
    } else {
      const { failure } = message
      if (failure === undefined) appending.get(message.id)?.resolve()
      else appending.get(message.id)?.reject(new LogUnavailableError(failure.code, failure.message, failure))
      appending.delete(message.id)
    }
  })
  worker.on('error', (error: Error) => {
    failure = error
  })
  worker.on('exit', () => {
    const error = failure ?? new Error('The ingest thread ended.')
    health = { ok: false, reason: error.message }
    for (const { reject } of [...asked.values(), ...appending.values()]) reject(error)
    asked.clear()
    appending.clear()
    started.reject(error)
    ended.resolve()
    if (isStarted && !isClosing) onFailure(error)
  })

  const { port, url } = await started.promise.catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  return {
    port,
    url,
    isReady: () => health,
    logStats: () => stats,
    refusals: () => refusals,
    snapshot() {
      if (failure !== undefined || isClosing) return Promise.reject(new Error('The ingest thread is closed.'))
      const id = nextId++
      const answer = Promise.withResolvers<MetricsSnapshot>()
      asked.set(id, answer)
      tell({ type: 'metrics', id })
      return answer.promise
    },
    append(records) {
      if (failure !== undefined || isClosing) return Promise.reject(new Error('The ingest thread is closed.'))
      const id = nextId++
      const durable = Promise.withResolvers<void>()
      appending.set(id, durable)
      tell({ type: 'append', id, records })
      return durable.promise
    },
    async close(timeoutMs) {
      isClosing = true
      health = { ok: false, reason: 'stopping' }
      tell({ type: 'close', timeoutMs })
      await ended.promise
    },
  }
}
