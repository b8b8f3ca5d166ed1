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

/** Keys that are remembered in memory for a time, by default a day: lists that a platform lacks are asked for again daily. */
export function createRemembered<Key>(clock: Pick<Clock, 'now'>, rememberedMs = 24 * 3_600_000) {
  const sinceMs = new Map<Key, number>()
  return {
    add: (key: Key) => void sinceMs.set(key, clock.now()),
    forget: (key: Key) => void sinceMs.delete(key),
    has(key: Key): boolean {
      return clock.now() - (sinceMs.get(key) ?? -Infinity) < rememberedMs
    },
  }
}
