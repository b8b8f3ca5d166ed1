/**
 * The budget of calls to the platform: a token bucket that all callers of a process share. A quarter of the calls of an
 * hour may come at once, the rest flows in evenly, so no hour has more than `callsPerHour`. A restart fills it again.
 */
import type { CallPriority } from './platform-client.ts'
import { systemClock, type Clock } from './clock.ts'

const hourMs = 3_600_000
const order: readonly CallPriority[] = ['person', 'job', 'sweep']

type Waiting = { priority: CallPriority; go: () => void }

export type CallBudget = ReturnType<typeof createCallBudget>

export function createCallBudget({
  callsPerHour,
  clock = systemClock,
}: {
  callsPerHour: number
  clock?: Clock
}) {
  const capacity = callsPerHour / 4
  const perMs = (callsPerHour - capacity) / hourMs
  /** What a call must find: jobs leave a part for people, and sweeps leave half for both. */
  const needed: Record<CallPriority, number> = { person: 1, job: 1 + capacity / 5, sweep: 1 + capacity / 2 }
  const waiting: Waiting[] = []
  let level = capacity
  let filledAt = clock.now()
  let pausedUntilMs = 0
  let isServing = false
  let wake = new AbortController()

  function toWaitMs(priority: CallPriority): number {
    const now = clock.now()
    level = Math.min(capacity, level + Math.max(0, now - filledAt) * perMs)
    filledAt = now
    return Math.max(pausedUntilMs - now, Math.ceil((needed[priority] - level) / perMs), 0)
  }

  async function serve(): Promise<void> {
    if (isServing) return
    isServing = true
    for (;;) {
      const [first] = order.flatMap((priority) => waiting.filter((one) => one.priority === priority))
      if (first === undefined) break
      const waitMs = toWaitMs(first.priority)
      if (waitMs > 0) {
        wake = new AbortController()
        await clock.sleep(waitMs, wake.signal).catch(() => undefined)
        continue
      }
      waiting.splice(waiting.indexOf(first), 1)
      level -= 1
      first.go()
    }
    isServing = false
  }

  return {
    /** Resolves when the call may be made, most urgent first. Rejects with the signal's reason when aborted. */
    async take(priority: CallPriority, signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const call: Waiting = { priority, go: resolve }
      const leave = () => {
        if (waiting.includes(call)) waiting.splice(waiting.indexOf(call), 1)
        wake.abort()
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(call)
      wake.abort()
      void serve()
      await promise.finally(() => signal?.removeEventListener('abort', leave))
    },
    /** The platform answered "too many calls": no call before then. */
    pauseUntil(atMs: number): void {
      pausedUntilMs = Math.max(pausedUntilMs, atMs)
    },
    /** How many calls may come at once. */
    left(): number {
      toWaitMs('person')
      return Math.floor(level)
    },
  }
}
