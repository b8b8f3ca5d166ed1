/** Appends to a log that may never answer: each has a time limit, without a timer of its own. */
import { LogUnavailableError, type LogRecord, type LogWriter } from '../event-log.ts'
import { sizeOf } from '../local/row.ts'

export type Attempts = {
  /** Like the log's own, but rejects with LOG_IO after the time limit; a later answer changes nothing. */
  append(record: LogRecord): Promise<void>
  /** In progress and still awaited. */
  pending(): { records: number; bytes: number }
  /** Resolves when none is awaited any more. */
  ended(): Promise<void>
  close(): void
}

type Attempt = { bytes: number; deadline: number; giveUp: (error: LogUnavailableError) => void }

export function createAttempts(log: LogWriter, timeoutMs: number): Attempts {
  // All have the same limit, so they expire in the order of their start, which a set keeps.
  const underWay = new Set<Attempt>()
  let bytes = 0
  let onEnd: (() => void) | undefined
  const sweep = setInterval(giveUpLate, Math.min(100, Math.ceil(timeoutMs / 4)))
  sweep.unref()

  /** `false`: it was given up before. */
  function end(attempt: Attempt): boolean {
    if (!underWay.delete(attempt)) return false
    bytes -= attempt.bytes
    if (underWay.size === 0) onEnd?.()
    return true
  }

  function giveUpLate(): void {
    const now = performance.now()
    for (const attempt of underWay) {
      if (attempt.deadline > now) return
      end(attempt)
      const message = `The event log has not taken a record within ${timeoutMs} ms.`
      attempt.giveUp(new LogUnavailableError('LOG_IO', message, { retryAfterMs: timeoutMs }))
    }
  }

  return {
    append(record) {
      return new Promise((resolve, reject) => {
        const attempt: Attempt = { bytes: sizeOf(record), deadline: performance.now() + timeoutMs, giveUp: reject }
        underWay.add(attempt)
        bytes += attempt.bytes
        log.append(record).then(
          () => end(attempt) && resolve(),
          (error: unknown) => end(attempt) && reject(error),
        )
      })
    },
    pending: () => ({ records: underWay.size, bytes }),
    async ended() {
      if (underWay.size > 0) await new Promise<void>((resolve) => (onEnd = resolve))
    },
    close: () => clearInterval(sweep),
  }
}
