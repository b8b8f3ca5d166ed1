/** Limits failed sign-ins by login and by address, whether or not the login exists. */
export type AttemptLimit = { key: string; most: number }

export type Attempts = ReturnType<typeof createAttempts>

const windowMs = 15 * 60_000
export const mostPerLogin = 10
/** Many people may stand behind one address. */
export const mostPerAddress = 50
export const mostKeys = 100_000

export function createAttempts(clock: () => number = Date.now) {
  /** In the order in which their time began: the first is the oldest. */
  const failed = new Map<string, { since: number; count: number; most: number }>()

  /** Forgets counts that are over, and where there are still too many, the oldest that blocks nobody. */
  function makeRoom(now: number): void {
    if (failed.size < mostKeys) return
    for (const [key, { since }] of failed) {
      if (!isOver(since, now)) break
      failed.delete(key)
    }
    for (const [key, { count, most }] of failed) {
      if (failed.size < mostKeys) return
      if (count < most) failed.delete(key)
    }
  }

  function count({ key, most }: AttemptLimit, now: number): void {
    const record = failed.get(key)
    if (record !== undefined && !isOver(record.since, now)) {
      record.count += 1
      return
    }
    failed.delete(key)
    makeRoom(now)
    // Every key is blocked: a login or address that is not among them is only slowed by how long a password takes to check.
    if (failed.size < mostKeys) failed.set(key, { since: now, count: 1, most })
  }

  return {
    /** Seconds to wait before the next try; 0: now. Counts the try. */
    take(limits: readonly AttemptLimit[]): number {
      const now = clock()
      const waits = limits.flatMap(({ key, most }) => {
        const record = failed.get(key)
        return record === undefined || isOver(record.since, now) || record.count < most
          ? []
          : [record.since + windowMs - now]
      })
      if (waits.length > 0) return Math.ceil(Math.max(...waits) / 1000)
      for (const limit of limits) count(limit, now)
      return 0
    },
    /** A success clears what its login had, and gives its address this try back. */
    succeed(limits: readonly AttemptLimit[]): void {
      for (const { key, most } of limits) {
        const record = failed.get(key)
        if (record === undefined) continue
        if (most === mostPerLogin) failed.delete(key)
        else record.count = Math.max(0, record.count - 1)
      }
    },
  }
}

/** Whoever has one address of IPv6 has all 2^64 of its network. */
export function toSender(address: string): string {
  if (!address.includes(':')) return address
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')
}

function isOver(since: number, now: number): boolean {
  return now - since > windowMs
}
