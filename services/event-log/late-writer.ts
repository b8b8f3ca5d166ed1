/**
 * A log's writer for a process that starts while the log is away: every append fails until the log could be opened; a
 * spool in front acknowledges them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../config/start-error.ts'
import { LogUnavailableError, type LogFailure, type LogWriter } from './event-log.ts'

type CountingWriter = LogWriter & { pending(): { records: number; bytes: number } }

export type LateWriterOptions = {
  /** Opens the log. Its `StartError` is final and for the operator; other errors are retried. */
  open: () => Promise<CountingWriter>
  /** How long a start waits for the log before it continues without. */
  startTimeoutMs: number
  onRetry: (error: unknown) => void
  /** Called for a `StartError` after the start. */
  onFailure: (error: Error) => void
}

const firstPauseMs = 250
const maxPauseMs = 5_000

/** Rejects with the `StartError` if it comes during the start. */
export async function openLateLogWriter(options: LateWriterOptions): Promise<CountingWriter> {
  const stopping = new AbortController()
  let log: CountingWriter | undefined
  let startError: StartError | undefined
  let isStarted = false

  const opening = (async () => {
    let pauseMs = firstPauseMs
    while (!stopping.signal.aborted) {
      try {
        log = await options.open()
        return
      } catch (error) {
        if (error instanceof StartError) {
          startError = error
          if (isStarted) options.onFailure(error)
          return
        }
        options.onRetry(error)
      }
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    }
  })()

  await Promise.race([opening, pause(options.startTimeoutMs, undefined, { signal: stopping.signal, ref: false })])
  isStarted = true
  if (startError !== undefined) throw startError

  const away: LogFailure = { code: 'LOG_IO', message: 'The event log could not be reached yet.' }
  return {
    append: (record) => log?.append(record) ?? Promise.reject(new LogUnavailableError(away)),
    health: () => log?.health() ?? { ok: false, reason: away.message },
    pending: () => log?.pending() ?? { records: 0, bytes: 0 },
    async close() {
      stopping.abort()
      await opening
      await log?.close()
    },
  }
}
