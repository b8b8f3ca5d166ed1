/** Ingest in a thread of this process (embedded mode): starts, watches and stops it from the main thread. */
import { Worker } from 'node:worker_threads'
import { LogUnavailableError, type LogRecord } from '../../event-log/event-log.ts'
import { StartError } from '../../config/start-error.ts'
import type { MetricsSnapshot } from '../../runtime/telemetry.ts'
import type { FromIngestThread, IngestThreadOptions, ToIngestThread } from './thread-message.ts'

/** A thread that loads its sources, which takes as long as opening a store, and waits for `openIngestThread`. */
export function loadIngestThread(): Worker {
  return new Worker(new URL('./thread-main.ts', import.meta.url))
}

/**
 * Opens the log in a thread of its own. `onFailure` is called when the thread ends by itself; nothing acknowledged is lost by
 * that, but nothing is taken either.
 */
export async function openIngestThread(
  options: IngestThreadOptions,
  onFailure: (error: Error) => void,
  worker: Worker = loadIngestThread(),
) {
  const tell = (message: ToIngestThread) => worker.postMessage(message)
  const snapshots = createQuestions<MetricsSnapshot>()
  const appends = createQuestions<void>()
  const opened = Promise.withResolvers<void>()
  const listening = Promise.withResolvers<{ port: number; url: string }>()
  const stoppedListening = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  // Each is awaited only where it is asked for.
  for (const { promise } of [opened, listening, stoppedListening]) promise.catch(() => undefined)
  let state: Pick<FromIngestThread & { type: 'state' }, 'health' | 'refusals'> = {
    health: { ok: false, reason: 'ingest is starting' },
    refusals: [],
  }
  let url = ''
  let isOpen = false
  let isClosing = false
  let failure: Error | undefined

  function receive(message: FromIngestThread): void {
    switch (message.type) {
      case 'opened':
        isOpen = true
        return opened.resolve()
      case 'listening':
        url = message.url
        return listening.resolve(message)
      case 'stoppedListening':
        return stoppedListening.resolve()
      case 'failed': {
        const error = message.isKnown ? new StartError(message.message) : new Error(message.message)
        return isOpen ? listening.reject(error) : opened.reject(error)
      }
      case 'state':
        state = message
        return
      case 'metrics':
        return snapshots.answer(message.id, message.snapshot)
      case 'appended':
        return message.failure === undefined
          ? appends.answer(message.id)
          : appends.refuse(message.id, new LogUnavailableError(message.failure))
    }
  }
  worker.on('message', receive)
  worker.on('error', (error: Error) => {
    failure = error
  })
  worker.on('exit', () => {
    const error = failure ?? new Error('The ingest thread ended.')
    state = { ...state, health: { ok: false, reason: error.message } }
    for (const { reject } of [opened, listening, stoppedListening, snapshots, appends]) reject(error)
    ended.resolve()
    if (isOpen && !isClosing) onFailure(error)
  })
  worker.postMessage(options)

  await opened.promise.catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  const refuseClosed = () => Promise.reject(new Error('The ingest thread is closed.'))
  const isClosed = () => failure !== undefined || isClosing
  return {
    async listen() {
      tell({ type: 'listen' })
      return { ...(await listening.promise), close: stopListening }
    },
    /** The address on this machine: `http://host:port`; empty until it listens. */
    url: () => url,
    isReady: () => state.health,
    /** The last refused requests that were not kept, newest first. */
    refusals: () => state.refusals,
    snapshot: () => (isClosed() ? refuseClosed() : snapshots.ask((id) => tell({ type: 'metrics', id }))),
    /**
     * For records that did not come through a webhook. Resolves once all are durable; rejects with a `LogUnavailableError`
     * when not all are, and appending them again is then harmless.
     */
    append: (records: LogRecord[]) =>
      isClosed() ? refuseClosed() : appends.ask((id) => tell({ type: 'append', id, records })),
    /** Closes the log and ends the thread. Close what listens first. */
    async close(): Promise<void> {
      isClosing = true
      state = { ...state, health: { ok: false, reason: 'stopping' } }
      tell({ type: 'close' })
      await ended.promise
    },
  }

  /** Finishes the requests under way, cuts them after `timeoutMs`. */
  async function stopListening(timeoutMs: number): Promise<void> {
    tell({ type: 'stopListening', timeoutMs })
    // A thread that has ended listens no more.
    await stoppedListening.promise.catch(() => undefined)
  }
}

/** Questions to the thread that it has not answered yet. */
function createQuestions<Answer>() {
  const open = new Map<number, PromiseWithResolvers<Answer>>()
  let nextId = 0
  function take(id: number) {
    const question = open.get(id)
    open.delete(id)
    return question
  }
  return {
    ask(send: (id: number) => void): Promise<Answer> {
      const question = Promise.withResolvers<Answer>()
      open.set(nextId, question)
      send(nextId++)
      return question.promise
    },
    answer: (id: number, answer: Answer) => take(id)?.resolve(answer),
    refuse: (id: number, error: Error) => take(id)?.reject(error),
    reject(error: Error) {
      for (const { reject } of open.values()) reject(error)
      open.clear()
    },
  }
}
