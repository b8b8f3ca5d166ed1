/** Runs orders while the process lives: when one is placed here, and periodically for those placed elsewhere. */
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
  let wake = () => {}
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
      if (!isNudged && !stopping.signal.aborted) await pause(pauseMs)
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

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function nudge(): void {
    isNudged = true
    wake()
  }
  const ended = work()
  return {
    nudge,
    async close(): Promise<void> {
      stopping.abort()
      wake()
      await ended
    },
  }
}
