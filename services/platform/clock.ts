/** Time, for tests that simulate hours. */
import { setTimeout as sleep } from 'node:timers/promises'

export type Clock = {
  now(): number
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
}
