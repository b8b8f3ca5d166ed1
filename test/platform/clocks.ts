/** A clock for tests that live through hours: to sleep is to turn it. */
import type { Clock } from '../../services/platform/budget/call-budget.ts'

export type TurnedClock = Clock & { turn(ms: number): void }

/** Begins late enough for what the store forgets after a while. */
export function createTurnedClock(from = Date.UTC(2040, 8, 1)): TurnedClock {
  let now = from
  return {
    now: () => now,
    turn: (ms) => void (now += ms),
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      now += ms
    },
  }
}
