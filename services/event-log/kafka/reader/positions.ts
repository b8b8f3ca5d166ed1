/**
 * Where to read a partition from: at the position of the store, or at the first record that the topic still has. And when the
 * handler has everything that was in the log at an instant, also while nothing arrives.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../../../config/start-error.ts'
import { readTopic } from '../topic-id.ts'
import type { Lease, SessionContext } from './lease.ts'

type PositionsOptions = SessionContext & {
  /** Set when the session ends: what it still hears is older than what the next one knows. */
  stopping: AbortSignal
  /** The topic has gained partitions since this session began, or it was recreated. */
  onChanged: (topic: Topic) => void
}

type Topic = Awaited<ReturnType<typeof readTopic>>

export type Positions = ReturnType<typeof createPositions>

const looksUntilSure = 4
const lookIntervalMs = 1_000

export function createPositions(options: PositionsOptions) {
  const { consumer, admin, topic, handler, leases, exclusive, onError, stopping } = options
  /** As this session shares it out. */
  let shared: Topic | undefined
  let isCounted = false

  /** Tells the handler if all that was asked about is handled. Never rejects. */
  async function tell(lease: Lease): Promise<void> {
    await exclusive(async () => {
      const { partition, position, target } = lease
      if (!leases.isCurrent(lease) || leases.isStale(lease)) return
      if (position === undefined || target === undefined || position < target.endOffset) return
      const { reached = position } = lease
      // Only marks and aborted records of transactions are there.
      if (reached < position) {
        const alive = { heartbeat: () => Promise.resolve(), isStale: () => leases.isStale(lease) }
        await handler.handle({ partition, records: [], from: reached, next: position, ...alive })
        lease.reached = position
      }
      lease.target = undefined
      lease.oldestAt = Math.max(lease.oldestAt, target.asOf)
      await handler.caughtUp(partition, position, target.asOf)
    }).catch(onError)
  }

  async function count(): Promise<void> {
    if (shared === undefined || stopping.aborted) return
    await handler.counted?.(shared.partitions, shared.id)
    isCounted = true
  }

  return {
    /**
     * Tells the handler how many partitions there are, and asks where each ends now. The first look comes before anything is read. One
     * question at a time, since a slow broker answers several out of order.
     */
    async look(): Promise<void> {
      const asOf = Date.now()
      const current = leases.all()
      // Of the brokers: the client library's knowledge may be five minutes old.
      const now = await readTopic(admin, topic)
      if (stopping.aborted) return
      shared ??= now
      if (now.id !== shared.id || now.partitions > shared.partitions) return options.onChanged(now)
      // A store that is away is told with the next look.
      if (!isCounted) await exclusive(count).catch(current.length === 0 ? onError : () => undefined)
      await readOffsets(options, current)
      for (const lease of current) lease.target ??= { asOf, endOffset: lease.endOffset }
      for (const lease of current) await tell(lease)
    },
    tell,
    /** Nothing is fetched of a partition until the handler has said from where. Never rejects. */
    async restart(lease: Lease, delay?: Promise<void>): Promise<void> {
      lease.position = undefined
      const place = [{ topic, partitions: [lease.partition] }]
      consumer.pause(place)
      await delay
      while (leases.isCurrent(lease)) {
        try {
          const position = await findStart(options, lease)
          if (!leases.isCurrent(lease)) return
          lease.position = position
          lease.reached = position
          consumer.seek({ topic, partition: lease.partition, offset: String(position) })
          consumer.resume(place)
          return
        } catch (error) {
          if (!leases.isCurrent(lease)) return
          onError(error)
          await lease.backoff.wait()
        }
      }
    },
  }
}

async function readOffsets({ admin, topic }: SessionContext, wanted: readonly Lease[]): Promise<void> {
  const offsets = await admin.fetchTopicOffsets(topic)
  for (const lease of wanted) {
    const place = offsets.find(({ partition }) => partition === lease.partition)
    if (place === undefined) throw new Error(`Partition ${lease.partition} of ${topic} is not there`)
    lease.lowOffset = Number(place.low)
    lease.endOffset = Number(place.high)
  }
}

async function findStart(options: PositionsOptions, lease: Lease): Promise<number> {
  const { admin, topic, handler, leases, logger, exclusive, stopping } = options
  const { partition } = lease
  const { id } = await readTopic(admin, topic)
  const stored = await exclusive(() => handler.resumeFrom(partition, id))
  await readOffsets(options, [lease])
  // A broker that has just become leader may not know yet where the partition ends.
  for (let looks = 1; stored > lease.endOffset && leases.isCurrent(lease); looks++) {
    if (looks === looksUntilSure) {
      throw new StartError(
        `Partition ${partition} of the topic ${topic} ends at offset ${lease.endOffset}, and the store has read it to ` +
          `${stored}: the topic has lost its end. To read it from its first record, run: rollcall log adopt.`,
      )
    }
    await pause(lookIntervalMs, undefined, { signal: stopping }).catch(() => undefined)
    await readOffsets(options, [lease])
  }
  const from = Math.max(stored, lease.lowOffset)
  // A store that has nothing is being filled from the rest of the log: that is not a loss.
  if (stored > 0 && from > stored) {
    const gap = { topic, partition, from: stored, to: from, missing: from - stored }
    logger.error(gap, 'Records were removed from Kafka before they were stored; deliveries are lost')
  }
  return from
}
