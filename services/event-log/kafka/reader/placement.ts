/**
 * Where to read a partition from: the store gives its position, which must belong to this log. A recreated topic is known
 * by an earlier end, or by another record just before the position.
 */
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { PositionedRecord } from '../../event-log.ts'
import { findStart, type Lease, type LogGap, nextRetryMs, readOffsets, type SessionContext } from './lease.ts'
import { toRecord } from '../record.ts'

type PlacementOptions = SessionContext & {
  consumer: Consumer
  /** Ends early when the session does. */
  sleep: (ms: number) => Promise<void>
  onGap: (gap: LogGap) => void
  /** Ends the session, because the topic is another one. */
  leave: (reason: Error) => void
}

export type Placement = ReturnType<typeof createPlacement>

const looksUntilSure = 4
const lookIntervalMs = 1_000

export function createPlacement(options: PlacementOptions) {
  const { consumer, admin, topic, handler, exclusive, sleep, onError, onGap, leave } = options
  const { isCurrent } = options.leases

  /** Nothing is fetched of a partition until the handler has said from where. Never rejects. */
  async function restart(lease: Lease, delayMs: number): Promise<void> {
    lease.position = undefined
    lease.isDoubtful = false
    const place = [{ topic, partitions: [lease.partition] }]
    consumer.pause(place)
    await sleep(delayMs)
    while (isCurrent(lease)) {
      try {
        const stored = await exclusive(() => handler.resumeFrom(lease.partition))
        const isOther = await isSure(lease, async () => {
          await readOffsets(admin, topic, [lease])
          return stored > lease.endOffset
        })
        if (!isCurrent(lease)) return
        if (isOther && handler.otherLog !== undefined) return await leaveLog(lease, stored)
        const position = findStart(lease, stored, onGap)
        lease.proof = handler.hasStored !== undefined && position > lease.lowOffset ? position - 1 : undefined
        lease.position = lease.proof ?? position
        lease.reached = position
        consumer.seek({ topic, partition: lease.partition, offset: String(lease.position) })
        consumer.resume(place)
        return
      } catch (error) {
        if (!isCurrent(lease)) return
        onError(error)
        await sleep(nextRetryMs(lease))
      }
    }
  }

  /** A broker that has just become leader may not know the end yet, nor a replica of the store the last rows: both will. */
  async function isSure(lease: Lease, holds: () => Promise<boolean>): Promise<boolean> {
    for (let looks = 1; await holds(); looks++) {
      if (looks === looksUntilSure) return true
      await sleep(lookIntervalMs)
      if (!isCurrent(lease)) return false
    }
    return false
  }

  /**
   * Rejoining makes all members ask where to resume: partitions that seem to continue would otherwise miss earlier
   * records.
   */
  async function leaveLog({ partition, lowOffset }: Lease, from: number): Promise<void> {
    await exclusive(async () => handler.otherLog?.(partition))
    onGap({ reason: 'other_log', partition, from, to: lowOffset, missing: 0 })
    leave(new Error(`${topic} is another topic than before`))
  }

  async function isOfOtherLog(lease: Lease, record: PositionedRecord): Promise<boolean> {
    return isSure(lease, () => exclusive(async () => (await handler.hasStored?.(lease.partition, record)) === false))
  }

  return {
    restart,
    /** The fetched records, without the one that only identifies the log. `undefined`: reading cannot continue. */
    async prove(lease: Lease, { batch, resolveOffset }: EachBatchPayload): Promise<PositionedRecord[] | undefined> {
      const records = batch.messages.map(toRecord)
      const { proof } = lease
      if (proof === undefined) return records
      try {
        // Where there is no record, as with a mark of a transaction, nothing can be said.
        const record = records.find(({ offset }) => offset === proof)
        if (record !== undefined && (await isOfOtherLog(lease, record))) {
          await leaveLog(lease, proof + 1)
          return undefined
        }
      } catch (error) {
        onError(error)
        if (isCurrent(lease)) void restart(lease, nextRetryMs(lease))
        return undefined
      }
      if (!isCurrent(lease)) return undefined
      lease.proof = undefined
      lease.position = Math.max(lease.position ?? 0, proof + 1)
      resolveOffset(String(proof))
      return records.filter(({ offset }) => offset > proof)
    },
  }
}
