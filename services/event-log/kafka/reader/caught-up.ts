/** Tells the handler when it has everything that was in the log at an instant, also while nothing arrives. */
import { readTopic } from '../topic-id.ts'
import { type Lease, readOffsets, type SessionContext } from './lease.ts'

type CaughtUpOptions = SessionContext & {
  /** The topic that the handler was told of, over all sessions: it may gain partitions between two. */
  handlerKnows: Topic
  /** Set when the session ends: what it still hears is older than what the next one knows. */
  stopping: AbortSignal
  /** The topic has gained partitions since this session began, and the handler knows it; or it was made anew. */
  onChanged: (topic: Topic) => void
}

export type Topic = Awaited<ReturnType<typeof readTopic>>

export type CaughtUp = ReturnType<typeof createCaughtUp>

export function createCaughtUp(options: CaughtUpOptions) {
  const { admin, topic, handler, leases, membership, logger, exclusive, onError, handlerKnows, onChanged } =
    options
  const { stopping } = options
  /** As this session shares it out. */
  let shared: Topic = { id: '', partitions: 0 }
  let isLooking = false

  /** Tells the handler if all that was asked about is handled. Never rejects. */
  async function tell(lease: Lease): Promise<void> {
    await exclusive(async () => {
      const { position, target } = lease
      if (!leases.isCurrent(lease) || !membership.isLive()) return
      if (position === undefined || target === undefined || position < target.endOffset) return
      const { partition, reached = position } = lease
      // Only marks and aborted records of transactions are there.
      if (reached < position) {
        const isStale = () => !leases.isOurs(lease) || !membership.isLive()
        const alive = { heartbeat: () => Promise.resolve(), isStale }
        await handler.handle({ partition, records: [], from: reached, next: position, ...alive })
        lease.reached = position
      }
      lease.target = undefined
      lease.oldestAt = Math.max(lease.oldestAt, target.asOf)
      await handler.caughtUp(lease.partition, position, target.asOf)
    }).catch(onError)
  }

  async function tellCount({ id, partitions }: Topic): Promise<void> {
    await exclusive(async () => {
      if (stopping.aborted || (partitions === handlerKnows.partitions && id === handlerKnows.id)) return
      await handler.counted?.(partitions, id)
      Object.assign(handlerKnows, { id, partitions })
    })
  }

  /** `false`: there are more partitions than this session shares out. */
  async function areAllShared(): Promise<boolean> {
    // Of the brokers: the client library's knowledge may be five minutes old.
    const now = await readTopic(admin, topic)
    if (shared.id === '') return false
    if (now.id === shared.id) await tellCount(now)
    if (now.id !== shared.id || now.partitions > shared.partitions) {
      shared = now
      onChanged(now)
      return false
    }
    return true
  }

  return {
    /** Asks how many partitions there are, and tells the handler; before anything is read. */
    async begin(): Promise<void> {
      shared = await readTopic(admin, topic)
      // A store that is away is told with the next look.
      await tellCount(shared).catch(onError)
    },
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
    const current = leases.all()
    try {
      if (!(await areAllShared())) return
      await readOffsets(admin, topic, current)
    } catch (error) {
      logger.debug({ err: error }, 'The ends of the partitions are not known')
      return
    }
    for (const lease of current) lease.target ??= { asOf, endOffset: lease.endOffset }
    for (const lease of current) await tell(lease)
  }
}
