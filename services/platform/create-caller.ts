/** Makes calls within the budget, and is the one place that retries them. */
import type { CallBudget } from './create-call-budget.ts'
import type { Clock } from './clock.ts'
import type { CallOptions } from './platform-client.ts'
import { PlatformError, type PlatformErrorCode } from './platform-error.ts'
import type { PathName } from '../config/values/platform-paths.ts'
import { sendCall, type Call } from './send-call.ts'

export type CallerOptions = {
  token: string
  budget: CallBudget
  clock: Clock
  /** For one complete answer. Default 30 s. */
  timeoutMs?: number
  /** Default 64 MiB: a platform without pages answers with all of its people at once. */
  maxAnswerBytes?: number
  /** How often a call is repeated. Default 5; 1 for a waiting person. */
  retries?: number
  /**
   * The pause before the first retry. It doubles, up to a minute. After a 429 without Retry-After all calls pause 60 times
   * as long, up to a quarter of an hour. Default 1 s.
   */
  pauseMs?: number
  onCall?: (report: { endpoint: PathName; outcome: 'ok' | PlatformErrorCode }) => void
}

export type SentCall = Call & { endpoint: PathName }

export const defaultTimeoutMs = 30_000

export function createCaller(options: CallerOptions) {
  const { token, budget, clock, retries = 5, pauseMs = 1_000, onCall } = options
  const limits = {
    token,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    maxAnswerBytes: options.maxAnswerBytes ?? 64 * 1024 ** 2,
  }
  const stopping = new AbortController()

  async function send(call: SentCall, stop: AbortSignal): Promise<unknown> {
    try {
      const answer = await sendCall(call, limits, stop)
      onCall?.({ endpoint: call.endpoint, outcome: 'ok' })
      return answer
    } catch (error) {
      onCall?.({ endpoint: call.endpoint, outcome: (error as PlatformError).code })
      throw error
    }
  }

  return {
    async call(call: SentCall, { priority = 'job', signal }: CallOptions): Promise<unknown> {
      const stop = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal])
      const most = priority === 'person' ? Math.min(1, retries) : retries
      for (let attempt = 0; ; attempt++) {
        try {
          await budget.take(priority, stop)
          return await send(call, stop)
        } catch (error) {
          if (!(error instanceof PlatformError)) throw toStopped(error)
          if (!isWorthAnother(call, error)) throw error
          // After a 429 the pause is everyone's, also if this call is not repeated.
          if (error.code === 'RATE_LIMITED') {
            const all = Math.min(900_000, 60 * pauseMs * 2 ** attempt)
            budget.pauseUntil(clock.now() + (error.retryAfterMs ?? all))
          }
          if (attempt === most) throw error
          // If it is aborted meanwhile, the next attempt says so.
          if (error.code !== 'RATE_LIMITED')
            await clock.sleep(Math.min(60_000, pauseMs * 2 ** attempt), stop).catch(() => {})
        }
      }
    },
    /** Waiting, running and later calls reject with `STOPPED`. */
    stop(): void {
      stopping.abort(new PlatformError('STOPPED', 'The client of the platform is closed.'))
    },
  }
}

function toStopped(cause: unknown): PlatformError {
  return new PlatformError('STOPPED', 'The call was given up before it was sent.', { cause })
}

/** Repeating a PATCH or DELETE changes nothing; repeating a POST does. */
function isWorthAnother(call: Call, error: PlatformError): boolean {
  return call.method === 'POST' ? error.isRetryable : error.isTransient
}
