/** Clocks that a test turns. */
import { type Clock, systemClock } from '../../services/platform/clock.ts'

export type TurnedClock = Clock & { turn(ms: number): void }

/** To sleep is to turn it: for tests that live through hours. Begins late enough for the rows that the store forgets after a while. */
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

/** The machine's clock, but for the turns of the test. To sleep takes its real time. */
export function createSetClock(): TurnedClock {
  let aheadMs = 0
  return { ...systemClock, now: () => Date.now() + aheadMs, turn: (ms) => void (aheadMs += ms) }
}
