/** Runs orders as long as the process lives: when one is placed here, and every now and then for those placed elsewhere. */
import type { GuideOrderRunner } from './runner.ts'

export type GuideOrderWorkerOptions = {
  runner: GuideOrderRunner
  /**
   * Whether this process may do it: in an installation of several, one does. Asked before every pass, and once a second
   * during one: whoever is it no longer stops before the next one takes its calls for lost. Default: always.
   */
  isRunner?: () => boolean
  /** Default 10 s. */
  pollMs?: number
  /** While the platform or the store fails: the longest pause, doubled up to. Default 5 min. */
  longestPauseMs?: number
  onError: (error: unknown) => void
}

export type GuideOrderWorker = {
  /** Something may be there to do. */
  nudge(): void
  /** Ends the pass under way after its present call. */
  close(): Promise<void>
}

const watchMs = 1_000

export function openGuideOrderWorker(options: GuideOrderWorkerOptions): GuideOrderWorker {
  const { runner, isRunner = () => true, pollMs = 10_000, longestPauseMs = 300_000, onError } = options
  const stopping = new AbortController()
  let wake = () => {}
  let isNudged = true

  async function work(): Promise<void> {
    let pauseMs = pollMs
    while (!stopping.signal.aborted) {
      isNudged = false
      if (isRunner()) {
        try {
          const { left } = await runPass()
          pauseMs = left === 0 ? pollMs : Math.min(longestPauseMs, pauseMs * 2)
        } catch (error) {
          onError(error)
          pauseMs = Math.min(longestPauseMs, pauseMs * 2)
        }
      }
      if (!isNudged && !stopping.signal.aborted) await pause(pauseMs)
      if (isNudged) pauseMs = pollMs
    }
  }

  async function runPass(): Promise<{ left: number }> {
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

  const nudge = () => {
    isNudged = true
    wake()
  }
  const ended = work()
  return {
    nudge,
    async close() {
      stopping.abort()
      wake()
      await ended
    },
  }
}
