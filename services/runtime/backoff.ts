import { setTimeout as pause } from 'node:timers/promises'

/** Pauses between tries, each twice as long as the one before. They end early once `stopping` is aborted. */
export function createBackoff(firstMs: number, maxMs: number, stopping: AbortSignal) {
  let nextMs = firstMs
  return {
    async wait(): Promise<void> {
      const ms = nextMs
      nextMs = Math.min(2 * nextMs, maxMs)
      await pause(ms, undefined, { signal: stopping }).catch(() => undefined)
    },
    /** After a success. */
    reset: () => void (nextMs = firstMs),
  }
}
