/**
 * The budget of calls to the platform: a token bucket that all callers of a process share. A quarter of the calls of an
 * hour may come at once, the rest flows in evenly, so no hour has more than `callsPerHour`. A restart fills it again.
 */
import type { CallPriority } from './platform-client.ts'
import { systemClock, type Clock } from './clock.ts'

const hourMs = 3_600_000

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
  let level = capacity
  let filledAt = clock.now()
  let pausedUntilMs = 0

  function toWaitMs(priority: CallPriority): number {
    const now = clock.now()
    level = Math.min(capacity, level + Math.max(0, now - filledAt) * perMs)
    filledAt = now
    return Math.max(pausedUntilMs - now, Math.ceil((needed[priority] - level) / perMs), 0)
  }

  return {
    /** Resolves when the call may be made. Rejects when the signal is aborted. */
    async take(priority: CallPriority, signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      for (let waitMs = toWaitMs(priority); waitMs > 0; waitMs = toWaitMs(priority))
        await clock.sleep(waitMs, signal)
      level -= 1
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
