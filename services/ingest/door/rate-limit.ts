/**
 * How many deliveries are let in: a limit per source, and one for all of them. Under the common limit every source has an equal
 * share that no other can use up; what a source leaves of its share is free for the others.
 */
export type RateLimits = {
  /** Deliveries per second of each source. 0: no limit. */
  perSecond: number
  /** Other limits for single sources, by name. 0: no limit. */
  bySource: ReadonlyMap<string, number>
  /** Deliveries per second of all sources. 0: no limit. */
  totalPerSecond: number
}

/** `waitMs` is 0 when the delivery may pass; else how long until one surely may, and which limit says so. */
type Taken = { waitMs: number; limit: 'source' | 'total' | undefined }

/** A token bucket: one second's worth, but at least one delivery, may come at once. */
type Bucket = { perSecond: number; level: number }

/** One delivery's worth. Sums of fractions may miss it by a little, and then the wait that was named would not be enough. */
const enough = 1 - 1e-9

const passes: Taken = { waitMs: 0, limit: undefined }

export function createRateLimiter(limits: RateLimits, sources: readonly string[]) {
  const isUnlimited =
    limits.perSecond === 0 && limits.totalPerSecond === 0 && [...limits.bySource.values()].every((each) => each === 0)
  if (isUnlimited) return { take: () => passes, setSources: () => undefined }

  let limited = new Map<string, Bucket>()
  let shares = new Map<string, Bucket>()
  /** What full shares did not need. */
  let spare = 0
  let filledAt = -Infinity

  /** The sources that share the common limit from now on. Those that stay keep what they have used. */
  function setSources(names: readonly string[]): void {
    const unique = [...new Set(names)]
    const toBuckets = (before: Map<string, Bucket>, toRate: (source: string) => number) =>
      new Map(
        unique.map((source) => {
          const bucket = createBucket(toRate(source))
          bucket.level = Math.min(bucket.level, before.get(source)?.level ?? Infinity)
          return [source, bucket]
        }),
      )
    limited = toBuckets(limited, (source) => limits.bySource.get(source) ?? limits.perSecond)
    shares = toBuckets(shares, () => limits.totalPerSecond / unique.length)
  }

  function fill(now: number): void {
    // A clock that is set back adds nothing; from there it counts on.
    const elapsedMs = Math.max(0, now - filledAt)
    filledAt = now
    for (const bucket of limited.values()) fillBucket(bucket, elapsedMs)
    let kept = 0
    for (const bucket of shares.values()) {
      spare += fillBucket(bucket, elapsedMs)
      kept += bucket.level
    }
    // All together never more than one second's worth at once, so a second after a quiet day is like any other.
    spare = Math.min(spare, Math.max(1, limits.totalPerSecond - kept))
  }

  setSources(sources)
  return {
    setSources,
    take(source: string, now: number): Taken {
      const bucket = limited.get(source)
      const share = shares.get(source)
      if (bucket === undefined || share === undefined) return passes
      fill(now)
      const ownWaitMs = bucket.perSecond > 0 && bucket.level < enough ? toWait(bucket) : 0
      const isShared = share.perSecond > 0
      const sharedWaitMs = isShared && share.level < enough && spare < enough ? toWait(share) : 0
      if (ownWaitMs > 0 || sharedWaitMs > 0) {
        // Both must have refilled, or the wait that is named would end in another refusal.
        return { waitMs: Math.max(ownWaitMs, sharedWaitMs), limit: ownWaitMs > 0 ? 'source' : 'total' }
      }
      if (isShared) {
        if (share.level >= enough) share.level--
        else spare--
      }
      if (bucket.perSecond > 0) bucket.level--
      return passes
    },
  }
}

function createBucket(perSecond: number): Bucket {
  return { perSecond, level: toCapacity(perSecond) }
}

function toCapacity(perSecond: number): number {
  return Math.max(1, perSecond)
}

/** Returns what did not fit. */
function fillBucket(bucket: Bucket, elapsedMs: number): number {
  const full = toCapacity(bucket.perSecond)
  const level = bucket.level + (bucket.perSecond === 0 ? 0 : elapsedMs * (bucket.perSecond / 1_000))
  bucket.level = Math.min(full, level)
  return level > full && level < Infinity ? level - full : 0
}

function toWait({ perSecond, level }: Bucket): number {
  return Math.ceil((1 - level) * (1_000 / perSecond))
}
