/** Ingest in a thread of this process (embedded mode): starts, watches and stops it from the main thread. */
import { Worker } from 'node:worker_threads'
import { LogUnavailableError, type LogRecord } from '../../event-log/event-log.ts'
import { StartError } from '../../config/start-error.ts'
import type { ThreadCalls } from './thread-main.ts'
import type {
  FromIngestThread,
  IngestThreadOptions,
  ThreadError,
  ThreadState,
  ToIngestThread,
} from './thread-message.ts'

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
  /** Calls that are not answered yet. */
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  const ended = Promise.withResolvers<void>()
  let state: ThreadState = { health: { ok: false, reason: 'ingest is starting' }, refusals: [] }
  let url = ''
  let nextId = 0
  let isOpen = false
  let isClosing = false
  let failure: Error | undefined

  worker.on('message', (message: FromIngestThread) => {
    if ('state' in message) return void (state = message.state)
    const call = calls.get(message.id)
    calls.delete(message.id)
    if ('error' in message) call?.reject(toError(message.error))
    else call?.resolve(message.value)
  })
  worker.on('error', (error: Error) => (failure = error))
  worker.on('exit', () => {
    failure ??= new Error('The ingest thread ended.')
    state = { ...state, health: { ok: false, reason: failure.message } }
    for (const { reject } of calls.values()) reject(failure)
    ended.resolve()
    if (isOpen && !isClosing) onFailure(failure)
  })

  function call<Name extends keyof ThreadCalls>(
    name: Name,
    ...args: Parameters<ThreadCalls[Name]>
  ): ReturnType<ThreadCalls[Name]> {
    const answer = Promise.withResolvers<unknown>()
    if (failure !== undefined || isClosing) answer.reject(new Error('The ingest thread is closed.'))
    else {
      calls.set(nextId, answer)
      worker.postMessage({ id: nextId++, name, args } satisfies ToIngestThread)
    }
    return answer.promise as ReturnType<ThreadCalls[Name]>
  }

  await call('open', options).catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  isOpen = true
  return {
    async listen() {
      const listening = await call('listen')
      url = listening.url
      // A thread that has ended listens no more.
      return {
        ...listening,
        close: (timeoutMs: number) => call('stopListening', timeoutMs).catch(() => undefined),
      }
    },
    /** The address on this machine: `http://host:port`; empty until it listens. */
    url: () => url,
    isReady: () => state.health,
    /** The last refused requests that were not kept, newest first. */
    refusals: () => state.refusals,
    snapshot: () => call('metrics'),
    /**
     * For records that did not come through a webhook. Resolves once all are durable; rejects with a `LogUnavailableError`
     * when not all are, and appending them again is then harmless.
     */
    append: (records: LogRecord[]) => call('append', records),
    /** Closes the log and ends the thread. Close what listens first. */
    async close(): Promise<void> {
      call('close').catch(() => undefined)
      isClosing = true
      state = { ...state, health: { ok: false, reason: 'stopping' } }
      await ended.promise
    },
  }
}

function toError({ message, isKnown, failure }: ThreadError): Error {
  if (failure !== undefined) return new LogUnavailableError(failure)
  return isKnown ? new StartError(message) : new Error(message)
}
