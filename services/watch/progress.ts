/** How far the consumer is behind the log, and why, for people: `rollcall doctor` and `rollcall erase` say it. */
import { describeError, toSafeMessage } from '../runtime/describe-error.ts'

export type Progress = {
  /** Deliveries that are in the log and not in the store. */
  waiting: number
  /** When the oldest of them was received, epoch ms; `undefined` where none waits, or it is unknown. */
  oldestReceivedAt: number | undefined
  /** The error that keeps the oldest from being stored. `undefined`: none that this process knows of. */
  failure: BatchFailure | undefined
  /** Since when nothing was stored although they wait, epoch ms. Left out: it goes on, or nobody looks. */
  stalledSince?: number | undefined
}

/** As a reader reports its lag. */
export function toProgress(
  lag: readonly { records: number; oldestMs: number }[],
  failure: BatchFailure | undefined,
  now = Date.now(),
  stall?: { since: number },
): Progress {
  const behind = lag.filter(({ records }) => records > 0)
  return {
    waiting: behind.reduce((sum, { records }) => sum + records, 0),
    oldestReceivedAt: behind.length === 0 ? undefined : now - Math.max(...behind.map(({ oldestMs }) => oldestMs)),
    failure,
    stalledSince: stall?.since,
  }
}

export type BatchFailure = { since: number; tries: number; code: string; message: string }

export function createFailureMemory(now: () => number = Date.now) {
  let failure: BatchFailure | undefined
  return {
    failed(error: unknown): void {
      const { since = now(), tries = 0 } = failure ?? {}
      failure = {
        since,
        tries: tries + 1,
        code: describeError(error).code ?? 'UNKNOWN',
        message: toSafeMessage(error),
      }
    },
    /** A batch was stored: whatever it was is over. */
    stored: () => void (failure = undefined),
    current: () => failure,
  }
}
