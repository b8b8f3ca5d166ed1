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
}

export type CaughtUp = {
  /** Asks where the log ends now. Never rejects. */
  look(): Promise<void>
  /** Tells the handler if all that was asked about is handled. Never rejects. */
  tell(lease: Lease): Promise<void>
}

export function createCaughtUp(options: CaughtUpOptions): CaughtUp {
  const { admin, topic, handler, leases, membership, logger, exclusive, onError } = options

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

  return {
    async look() {
      const asOf = Date.now()
      const current = leases.all()
      try {
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
