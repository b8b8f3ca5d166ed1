/** Limits failed sign-ins by login and by address, whether or not the login exists. */
export type AttemptLimit = { key: string; most: number }

export type Attempts = {
  /** Seconds to wait before the next try; 0: now. Counts the try. */
  take(limits: readonly AttemptLimit[]): number
  /** A success clears what its login had, and gives its address this try back. */
  succeed(limits: readonly AttemptLimit[]): void
}

const windowMs = 15 * 60_000
export const mostPerLogin = 10
/** Many people may stand behind one address. */
export const mostPerAddress = 50
const mostKeys = 100_000

export function createAttempts(clock: () => number = Date.now): Attempts {
  const failed = new Map<string, { since: number; count: number }>()

  return {
    take(limits) {
      const now = clock()
      if (failed.size > mostKeys) {
        for (const [key, { since }] of failed) if (now - since > windowMs) failed.delete(key)
        // Still too many: somebody floods it. Starting anew is better than growing without end.
        if (failed.size > mostKeys) failed.clear()
      }
      const own = limits.map(({ key, most }) => {
        const known = failed.get(key)
        const entry = known === undefined || now - known.since > windowMs ? { since: now, count: 0 } : known
        failed.set(key, entry)
        return { entry, most }
      })
      const waits = own
        .filter(({ entry, most }) => entry.count >= most)
        .map(({ entry }) => entry.since + windowMs - now)
      if (waits.length > 0) return Math.ceil(Math.max(...waits) / 1000)
      for (const { entry } of own) entry.count += 1
      return 0
    },
    succeed(limits) {
      for (const { key, most } of limits) {
        const known = failed.get(key)
        if (known === undefined) continue
        if (most === mostPerLogin) failed.delete(key)
        else known.count = Math.max(0, known.count - 1)
      }
    },
  }
}
