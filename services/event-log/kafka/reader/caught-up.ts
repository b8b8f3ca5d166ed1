/** Tells the handler when it has everything that was in the log at an instant, also while nothing arrives. */
import { type Lease, readOffsets, type SessionContext } from './lease.ts'

type CaughtUpOptions = SessionContext & {
  /** How many partitions the handler was told of, over all sessions: a topic may gain some between two. */
  handlerKnows: { partitions: number }
  /** Set when the session ends: what it still hears is older than what the next one knows. */
  stopping: AbortSignal
  /** The topic has gained partitions since this session began, and the handler knows it. */
  onGrown: (partitions: number) => void
}

export type CaughtUp = ReturnType<typeof createCaughtUp>

export function createCaughtUp(options: CaughtUpOptions) {
  const { admin, topic, handler, leases, membership, logger, exclusive, onError, handlerKnows, onGrown } = options
  const { stopping } = options
  let partitions = 0
  let knownAt = 0
  let isLooking = false

  /** Tells the handler if all that was asked about is handled. Never rejects. */
  async function tell(lease: Lease): Promise<void> {
    await exclusive(async () => {
      const { position, target } = lease
      if (!leases.isCurrent(lease) || !membership.isLive()) return
      if (position === undefined || target === undefined || position < target.endOffset) return
      lease.target = undefined
      lease.oldestAt = Math.max(lease.oldestAt, target.asOf)
      await handler.caughtUp(lease.partition, position, target.asOf, target.tick)
    }).catch(onError)
  }

  /** Asks the brokers: the client library's knowledge may be five minutes old. */
  async function countPartitions(): Promise<number> {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const count = topics[0]?.partitions.length ?? 0
    // A broker that has just begun does not know its topics yet.
    if (count === 0) throw new Error(`The topic ${topic} has no partitions`)
    return count
  }

  async function tellCount(count: number): Promise<void> {
    await exclusive(async () => {
      if (stopping.aborted || count === handlerKnows.partitions) return
      await handler.counted?.(count)
      handlerKnows.partitions = count
    })
  }

  /** `false`: there are more partitions than this session shares out. */
  async function areAllShared(asOf: number): Promise<boolean> {
    const count = await countPartitions()
    await tellCount(count)
    if (count > partitions) {
      partitions = count
      onGrown(count)
      return false
    }
    knownAt = asOf
    return true
  }

  return {
    /** Asks how many partitions there are, and tells the handler; before anything is read. */
    async begin(): Promise<void> {
      const asOf = Date.now()
      partitions = await countPartitions()
      // A store that is away is told with the next look, and nothing is complete until then.
      await tellCount(partitions).then(() => (knownAt = asOf), onError)
    },
    /** As of when every partition was known. */
    partitionsKnownAt: () => knownAt,
    /** Asks where the log ends now; one question at a time, since a slow broker answers several out of order. Never rejects. */
    async look(): Promise<void> {
      if (isLooking) return
      isLooking = true
      await lookOnce().finally(() => (isLooking = false))
    },
    tell,
  }

  async function lookOnce(): Promise<void> {
    const asOf = Date.now()
    const tick = performance.now()
    const current = leases.all()
    try {
      if (!(await areAllShared(asOf))) return
      await readOffsets(admin, topic, current)
    } catch (error) {
      logger.debug({ err: error }, 'The ends of the partitions are not known')
      return
    }
    for (const lease of current) lease.target ??= { asOf, tick, endOffset: lease.endOffset }
    for (const lease of current) await tell(lease)
  }
}
