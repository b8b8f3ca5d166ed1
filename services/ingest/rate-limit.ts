/** A token bucket: one second's worth may come at once; after that the rate applies. */
export type RateLimit = {
  /** 0 when the request may pass; else the wait until one may. */
  take(now: number): number
}

export function createRateLimit(perSecond: number): RateLimit {
  if (perSecond === 0) return { take: () => 0 }
  let level = perSecond
  let filledAt = -Infinity
  return {
    take(now) {
      level = Math.min(perSecond, level + Math.max(0, now - filledAt) * (perSecond / 1_000))
      filledAt = now
      if (level >= 1) {
        level--
        return 0
      }
      return Math.ceil((1 - level) * (1_000 / perSecond))
    },
  }
}
