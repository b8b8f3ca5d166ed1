/**
 * Makes calls in their turn of the budget, and repeats them after passing errors: the one place that decides about
 * retries.
 */
import pRetry from 'p-retry'
import type { CallBudget } from './create-call-budget.ts'
import type { Clock } from './clock.ts'
import type { CallOptions } from './platform-client.ts'
import { PlatformError, type PlatformErrorCode } from './platform-error.ts'
import type { PathName } from '../config/values/platform-paths.ts'
import { readNotices, type PlatformNotice } from './platform-notices.ts'
import { sendCall, type Call } from './send-call.ts'

export type CallerOptions = {
  token: string
  budget: CallBudget
  clock: Clock
  /** For one complete answer. Default 30,000. */
  timeoutMs?: number
  /** Default 16 MiB. */
  maxAnswerBytes?: number
  /** How often a call is repeated. Default 5; 1 for a waiting person. */
  retries?: number
  /** The first pause before a retry; it doubles, up to a minute, with random shortening. Default 1,000. */
  firstPauseMs?: number
  /** The pause of all calls after a 429 without Retry-After; it doubles, up to a quarter of an hour. Default 60,000. */
  throttledPauseMs?: number
  /** 0..1. Default `Math.random`. */
  random?: () => number
  onCall?: (report: CallReport) => void
  /** Called for every header by which an answer announces an end. */
  onNotice?: (notice: PlatformNotice) => void
}

type CallReport = { endpoint: PathName; outcome: 'ok' | PlatformErrorCode; durationMs: number }

export type SentCall = Call & { endpoint: PathName }

const longestPauseMs = 60_000
const longestThrottledPauseMs = 900_000

export function createCaller(options: CallerOptions) {
  const { token, budget, clock, timeoutMs = 30_000, maxAnswerBytes = 16 * 1024 ** 2, random = Math.random } = options
  const { retries = 5, firstPauseMs = 1_000, throttledPauseMs = 60_000, onCall, onNotice } = options
  const stopping = new AbortController()

  async function sendOnce(call: SentCall, stop: AbortSignal): Promise<unknown> {
    const startedAt = performance.now()
    const report = (outcome: CallReport['outcome']) =>
      onCall?.({ endpoint: call.endpoint, outcome, durationMs: performance.now() - startedAt })
    try {
      const onHeaders = (headers: Headers) => {
        for (const notice of readNotices(call.endpoint, headers)) onNotice?.(notice)
      }
      const answer = await sendCall(call, { token, timeoutMs, maxAnswerBytes, onHeaders }, stop)
      report('ok')
      return answer
    } catch (error) {
      report((error as PlatformError).code)
      throw error
    }
  }

  return {
    async call(call: SentCall, { priority = 'job', signal }: CallOptions): Promise<unknown> {
      const stop = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal])
      const toPauseMs = (error: PlatformError, attempt: number): number => {
        if (error.code === 'RATE_LIMITED') {
          return error.retryAfterMs ?? Math.min(longestThrottledPauseMs, throttledPauseMs * 2 ** (attempt - 1))
        }
        const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1))
        return error.retryAfterMs ?? Math.ceil(pauseMs * (0.5 + random() / 2))
      }
      let sent: unknown
      try {
        return await pRetry(
          async () => {
            await budget.take(priority, stop)
            return sendOnce(call, stop).catch((error: unknown) => {
              sent = error
              throw error
            })
          },
          {
            retries: priority === 'person' ? Math.min(1, retries) : retries,
            // The pauses are made below, with the clock that tests control.
            minTimeout: 0,
            maxTimeout: 0,
            signal: stop,
            shouldRetry: ({ error }) => isWorthAnother(call, error),
            onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
              if (!(error instanceof PlatformError) || !isWorthAnother(call, error)) return
              const pauseMs = toPauseMs(error, attemptNumber)
              // One call was too many, so the next would be as well.
              if (error.code === 'RATE_LIMITED') budget.pauseUntil(clock.now() + pauseMs)
              else if (retriesLeft > 0) await clock.sleep(pauseMs, stop)
            },
          },
        )
      } catch (error) {
        // Once aborted, p-retry reports that and not the call's error; but a running write may have happened.
        if (stop.aborted && sent instanceof PlatformError && sent.mayHaveHappened) throw sent
        if (error instanceof PlatformError || !stop.aborted) throw error
        throw new PlatformError('STOPPED', 'The call was given up before it was sent.', { cause: error })
      }
    },
    /** Waiting, running and later calls reject with `STOPPED`. */
    stop(): void {
      stopping.abort(new PlatformError('STOPPED', 'The client of the platform is closed.'))
    },
  }
}

/** Repeating a PATCH or DELETE changes nothing; repeating a POST does, and the answer to a DELETE is another one. */
function isWorthAnother(call: Call, error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false
  return call.method === 'POST' || call.isOnce ? error.isRetryable : error.isTransient
}
