/** Keys that are remembered in memory for a time, by default a day: lists that a platform lacks are asked for again daily. */
import type { Clock } from './clock.ts'

export function createRemembered<Key>(clock: Pick<Clock, 'now'>, rememberedMs = 24 * 3_600_000) {
  const sinceMs = new Map<Key, number>()
  return {
    add: (key: Key) => void sinceMs.set(key, clock.now()),
    forget: (key: Key) => void sinceMs.delete(key),
    has(key: Key): boolean {
      const ageMs = clock.now() - (sinceMs.get(key) ?? -Infinity)
      // A clock that was set back ends it.
      return ageMs >= 0 && ageMs < rememberedMs
    },
  }
}
