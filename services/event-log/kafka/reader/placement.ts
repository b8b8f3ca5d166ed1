/** Where to read a partition from: at the position of the store, or at the first record that the topic still has. */
import type { Consumer } from 'kafkajs'
import { StartError } from '../../../config/start-error.ts'
import { readTopic } from '../topic-id.ts'
import { findStart, type Lease, type LogGap, nextRetryMs, readOffsets, type SessionContext } from './lease.ts'

type PlacementOptions = SessionContext & {
  consumer: Consumer
  /** Ends early when the session does. */
  sleep: (ms: number) => Promise<void>
  onGap: (gap: LogGap) => void
}

export type Placement = ReturnType<typeof createPlacement>

const looksUntilSure = 4
const lookIntervalMs = 1_000

export function createPlacement(options: PlacementOptions) {
  const { consumer, admin, topic, handler, exclusive, sleep, onError, onGap } = options
  const { isCurrent } = options.leases

  /** Reads the ends of the partition. A broker that has just become leader may not know yet where it ends. */
  async function readEnds(lease: Lease, stored: number): Promise<void> {
    for (let looks = 1; ; looks++) {
      await readOffsets(admin, topic, [lease])
      if (stored <= lease.endOffset || !isCurrent(lease)) return
      if (looks === looksUntilSure) {
        throw new StartError(
          `Partition ${lease.partition} of the topic ${topic} ends at offset ${lease.endOffset}, and the store has read it to ` +
            `${stored}: the topic has lost its end. To read it from its first record, run: rollcall log adopt.`,
        )
      }
      await sleep(lookIntervalMs)
    }
  }

  return {
    /** Nothing is fetched of a partition until the handler has said from where. Never rejects. */
    async restart(lease: Lease, delayMs: number): Promise<void> {
      lease.position = undefined
      lease.isDoubtful = false
      const place = [{ topic, partitions: [lease.partition] }]
      consumer.pause(place)
      await sleep(delayMs)
      while (isCurrent(lease)) {
        try {
          const { id } = await readTopic(admin, topic)
          const stored = await exclusive(() => handler.resumeFrom(lease.partition, id))
          await readEnds(lease, stored)
          if (!isCurrent(lease)) return
          const position = findStart(lease, stored, onGap)
          lease.position = position
          lease.reached = position
          consumer.seek({ topic, partition: lease.partition, offset: String(position) })
          consumer.resume(place)
          return
        } catch (error) {
          if (!isCurrent(lease)) return
          onError(error)
          await sleep(nextRetryMs(lease))
        }
      }
    },
  }
}
