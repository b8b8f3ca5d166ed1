/** Limits tries at passwords and links, whether or not the login exists. */
export type AttemptLimit = { key: string; most: number }

export type Attempts = ReturnType<typeof createAttempts>

const windowMs = 15 * 60_000
/** More are not kept: each failed try takes as long as a password takes to check. */
const mostKeys = 100_000
/** Many people may be behind one address. */
const mostPerAddress = 50

export const ofSender = (address: string): AttemptLimit => ({
  key: `address:${toSender(address)}`,
  most: mostPerAddress,
})

/** Ten from each sender, so that a stranger does not lock a person out. */
export const ofLogin = (login: string, address: string): AttemptLimit[] => [
  { key: `login:${login} ${toSender(address)}`, most: 10 },
  { key: `login:${login}`, most: 100 },
  ofSender(address),
]

export function createAttempts(clock: () => number = Date.now) {
  /** The first is the oldest. */
  const failed = new Map<string, { since: number; count: number }>()
  const find = (key: string, now: number) => {
    const record = failed.get(key)
    return record !== undefined && now - record.since <= windowMs ? record : undefined
  }

  function count(key: string, now: number): void {
    const record = find(key, now)
    if (record !== undefined) {
      record.count += 1
      return
    }
    failed.delete(key)
    failed.set(key, { since: now, count: 1 })
    for (const [each, { since }] of failed) {
      if (failed.size <= mostKeys && now - since <= windowMs) return
      failed.delete(each)
    }
  }

  return {
    /** Seconds to wait before the next try; 0: now. Counts the try. */
    take(limits: readonly AttemptLimit[]): number {
      const now = clock()
      const reached = limits.filter(({ key, most }) => (find(key, now)?.count ?? 0) >= most)
      for (const { key } of reached.length === 0 ? limits : []) count(key, now)
      const waits = reached.map(({ key }) => (find(key, now)?.since ?? now) + windowMs - now)
      return Math.ceil(Math.max(0, ...waits) / 1000)
    },
    /** A success clears what its login had, and gives its address this try back. */
    succeed(limits: readonly AttemptLimit[]): void {
      for (const { key } of limits) {
        const record = failed.get(key)
        if (key.startsWith('login:')) failed.delete(key)
        else if (record !== undefined) record.count -= 1
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
