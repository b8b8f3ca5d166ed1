/** Runs orders while the process lives: when one is placed here, and periodically for those placed elsewhere. */
import { setTimeout as pause } from 'node:timers/promises'
import type { GuideOrderRunner } from './runner.ts'

export type GuideOrderWorkerOptions = {
  runner: GuideOrderRunner
  /**
   * Whether this process may run orders: in a distributed installation one does. Asked before every pass and once a
   * second during it, so that a former runner stops before the next one considers its calls lost. Default: always.
   */
  isRunner?: () => boolean
  /** Default 10 s. */
  pollMs?: number
  onError: (error: unknown) => void
}

export type GuideOrderWorker = ReturnType<typeof openGuideOrderWorker>

const watchMs = 1_000
/** While the platform or the store fails, pauses are doubled up to this. */
const longestPauseMs = 300_000

export function openGuideOrderWorker(options: GuideOrderWorkerOptions) {
  const { runner, isRunner = () => true, pollMs = 10_000, onError } = options
  const stopping = new AbortController()
  let waking = new AbortController()
  let isNudged = true

  async function work(): Promise<void> {
    let pauseMs = pollMs
    while (!stopping.signal.aborted) {
      isNudged = false
      if (isRunner()) {
        try {
          const { rest } = await runPass()
          pauseMs = rest === 0 ? pollMs : Math.min(longestPauseMs, pauseMs * 2)
        } catch (error) {
          onError(error)
          pauseMs = Math.min(longestPauseMs, pauseMs * 2)
        }
      }
      if (!isNudged && !stopping.signal.aborted) {
        waking = new AbortController()
        await pause(pauseMs, undefined, { signal: waking.signal }).catch(() => undefined)
      }
      if (isNudged) pauseMs = pollMs
    }
  }

  async function runPass(): Promise<{ rest: number }> {
    const losing = new AbortController()
    const watch = setInterval(() => {
      if (!isRunner()) losing.abort()
    }, watchMs)
    try {
      return await runner.run(AbortSignal.any([stopping.signal, losing.signal]))
    } finally {
      clearInterval(watch)
    }
  }

  function nudge(): void {
    isNudged = true
    waking.abort()
  }
  const ended = work()
  return {
    nudge,
    async close(): Promise<void> {
      stopping.abort()
      waking.abort()
      await ended
    },
  }
}
