/** One delivery's worth. Sums of fractions may miss it by a little, and then the wait that was named would not be enough. */
const enough = 1 - 1e-9

/** `rate`: deliveries per second of each source. 0: no limit. */
export function createRateLimiter(rate: number) {
  /** Token buckets: one second's worth, but at least one delivery, may come at once. */
  const buckets = new Map<string, { level: number; filledAt: number }>()
  return {
    /** How many ms until a delivery of this source surely passes. 0: this one does, and counts. */
    take(source: string, now: number): number {
      if (rate === 0) return 0
      const most = Math.max(1, rate)
      const { level, filledAt } = buckets.get(source) ?? { level: most, filledAt: now }
      const filled = Math.min(most, level + (Math.max(0, now - filledAt) * rate) / 1_000)
      const passes = filled >= enough
      buckets.set(source, { level: passes ? filled - 1 : filled, filledAt: now })
      return passes ? 0 : Math.ceil(((1 - filled) * 1_000) / rate)
    },
  }
}
