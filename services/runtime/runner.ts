/** Everything that a process repeats: its own looks, the schedule of jobs, and what is to be sent. One loop for each task. */
import { setTimeout as sleep } from 'node:timers/promises'
import { repeat } from './repeat.ts'

export type Task = {
  /** Kebab-case. */
  name: string
  everyMs: number
  /** Every process does it. Default: only the runner. */
  isEverywhere?: boolean
  /** `later`: something could not be done. The next pauses are longer, as after an error. */
  run(signal: AbortSignal): Promise<void | 'later'>
}

export type RunnerOptions = {
  tasks: readonly Task[]
  /** Whether this process is the runner now. Also asked every second during a task, which ends if not. Default: always. */
  isRunner?: () => boolean
  onError: (error: unknown, task: string) => void
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

const watchMs = 1_000
/** Pauses are doubled up to this while a task fails. */
const longestPauseMs = 300_000

/** Starts with every task at once. */
export function openRunner({ tasks, isRunner = () => true, onError, ...options }: RunnerOptions) {
  const { sleep: pause = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  const stopping = new AbortController()
  /** By task: ends its pause. Missing: it is to begin again at once. */
  const waking = new Map<string, AbortController>()

  async function repeatTask(task: Task): Promise<void> {
    let pauseMs = task.everyMs
    while (!stopping.signal.aborted) {
      const waiting = new AbortController()
      waking.set(task.name, waiting)
      const isWell = await runOnce(task)
      pauseMs = isWell ? task.everyMs : Math.min(Math.max(longestPauseMs, task.everyMs), pauseMs * 2)
      // Not in step with other processes: two that claim the same thing both withdraw.
      const signal = AbortSignal.any([stopping.signal, waiting.signal])
      await pause(pauseMs * (0.9 + 0.2 * Math.random()), signal).catch(() => undefined)
      if (waiting.signal.aborted) pauseMs = task.everyMs
    }
  }

  /** Whether all went well. */
  async function runOnce({ name, isEverywhere = false, run }: Task): Promise<boolean> {
    if (!isEverywhere && !isRunner()) return true
    const losing = new AbortController()
    const stopWatch = repeat(watchMs, () => {
      if (!isEverywhere && !isRunner()) losing.abort()
    })
    try {
      return (await run(AbortSignal.any([stopping.signal, losing.signal]))) !== 'later'
    } catch (error) {
      onError(error, name)
      return false
    } finally {
      stopWatch()
    }
  }

  const running = tasks.map(repeatTask)
  return {
    /** Begins this task now, or again right after the run under way. */
    wake: (name: string) => waking.get(name)?.abort(),
    /** Waits for what is under way. */
    async close(): Promise<void> {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
