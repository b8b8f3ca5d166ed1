/** Tells the handler when it has everything that was in the log at an instant, also while nothing arrives. */
import type { Admin } from 'kafkajs'
import type { Logger } from '../../../runtime/logger.ts'
import type { BatchHandler } from '../../event-log.ts'
import type { Lease, Leases } from './lease.ts'
import type { Membership } from './membership.ts'
import { readOffsets } from './place.ts'

export type CaughtUpOptions = {
  admin: Admin
  topic: string
  handler: BatchHandler
  leases: Leases
  membership: Membership
  logger: Logger
  /** Runs one call of the handler at a time. */
  exclusive: <T>(step: () => Promise<T>) => Promise<T>
  onError: (error: unknown) => void
  /** The topic has gained partitions, and the handler knows it. */
  onGrown: (partitions: number) => void
}

export type CaughtUp = {
  /** Asks how many partitions there are; before anything is read. */
  begin(): Promise<void>
  /** As of when every partition was known. */
  partitionsKnownAt(): number
  /** Asks where the log ends now. Never rejects. */
  look(): Promise<void>
  /** Tells the handler if all that was asked about is handled. Never rejects. */
  tell(lease: Lease): Promise<void>
}

export function createCaughtUp(options: CaughtUpOptions): CaughtUp {
  const { admin, topic, handler, leases, membership, logger, exclusive, onError, onGrown } = options
  let partitions = 0
  let knownAt = 0

  async function tell(lease: Lease): Promise<void> {
    await exclusive(async () => {
      const { position, target } = lease
      if (!leases.isCurrent(lease) || !membership.isLive()) return
      if (position === undefined || target === undefined || position < target.endOffset) return
      lease.target = undefined
      lease.oldestAt = Math.max(lease.oldestAt, target.asOf)
      await handler.caughtUp(lease.partition, position, target.asOf)
    }).catch(onError)
  }

  /** Asks the brokers: what the client library believes may be five minutes old. `false`: there are more than before. */
  async function look(asOf: number): Promise<boolean> {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const found = topics[0]?.partitions.length ?? 0
    const hasGrown = partitions > 0 && found > partitions
    if (hasGrown) {
      await exclusive(() => handler.grown?.(found) ?? Promise.resolve())
      onGrown(found)
    } else knownAt = asOf
    partitions = Math.max(partitions, found)
    return !hasGrown
  }

  return {
    async begin() {
      await look(Date.now())
    },
    partitionsKnownAt: () => knownAt,
    async look() {
      const asOf = Date.now()
      const current = leases.all()
      try {
        if (!(await look(asOf))) return
        await readOffsets(admin, topic, current)
      } catch (error) {
        logger.debug({ err: error }, 'The ends of the partitions are not known')
        return
      }
      for (const lease of current) lease.target ??= { asOf, endOffset: lease.endOffset }
      for (const lease of current) await tell(lease)
    },
    tell,
  }
}
