/** Keys that are remembered in memory for a day: what a platform lacks is asked again daily. */
import type { Clock } from './budget/call-budget.ts'

const rememberedMs = 24 * 3_600_000

export type Remembered<Key> = { add(key: Key): void; has(key: Key): boolean }

export function createRemembered<Key>(clock: Pick<Clock, 'now'>): Remembered<Key> {
  const sinceMs = new Map<Key, number>()
  return {
    add: (key) => void sinceMs.set(key, clock.now()),
    has(key) {
      const ageMs = clock.now() - (sinceMs.get(key) ?? -Infinity)
      // A clock that was set back ends it.
      return ageMs >= 0 && ageMs < rememberedMs
    },
  }
}
