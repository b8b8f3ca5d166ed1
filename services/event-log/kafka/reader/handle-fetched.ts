/** Hands on the fetched records: one batch after another in order, as long as the partition is this reader's. */
import type { EachBatchPayload } from 'kafkajs'
import type { PositionedRecord, ReaderOptions } from '../../event-log.ts'
import { toText } from '../errors.ts'
import { cutBatches, type Lease, type SessionContext } from './lease.ts'
import type { Positions } from './positions.ts'
import { toRecord } from '../record.ts'
import { repeat } from '../../../runtime/repeat.ts'

type FetchedOptions = SessionContext & {
  limits: ReaderOptions
  heartbeatIntervalMs: number
  positions: Positions
}

type Records = { records: [PositionedRecord, ...PositionedRecord[]]; next: number }

export function createFetchedHandler(options: FetchedOptions) {
  const { topic, handler, limits, leases, positions, logger, exclusive, onError } = options

  /** Ends early if the session stops, or if the partition was lost or is requested again. */
  async function handleAll(lease: Lease, payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const { partition } = batch
    for (const records of cutBatches(batch.messages.map(toRecord), limits)) {
      const last = (records.at(-1) as PositionedRecord).offset
      // Marks of transactions take offsets and are not records: the client resolves them with the last one.
      const next = last === Number(batch.messages.at(-1)?.offset) ? Number(batch.lastOffset()) + 1 : last + 1
      if (!leases.isCurrent(lease) || !(await handle(lease, { records, next }, payload))) return
      lease.position = next
      lease.reached = next
      payload.resolveOffset(String(last))
      // For tools that show lag; nothing of ours reads it.
      void payload
        .commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(next) }] }] })
        .catch((error: unknown) => logger.debug({ says: toText(error) }, 'The offset could not be committed'))
      await positions.tell(lease)
      leases.throwGroupError()
    }
  }

  /** `false`: not stored, it will be delivered again. */
  async function handle(
    lease: Lease,
    { records, next }: Records,
    payload: EachBatchPayload,
  ): Promise<boolean> {
    const { partition } = lease
    const alive = { heartbeat: () => heartbeat(payload), isStale: () => leases.isStale(lease) }
    lease.oldestAt = records[0].receivedAt
    try {
      const isHandled = await exclusive(async () => {
        // Other partitions had their turn before; by now it may be someone else's, or time to stop.
        if (!leases.isCurrent(lease)) return false
        const from = lease.reached ?? records[0].offset
        await handler.handle({ partition, records, from, next, ...alive })
        return true
      })
      if (!isHandled) return false
    } catch (error) {
      // A reader that has lost the partition must stop; that is not a failure.
      if (!leases.isStale(lease)) onError(error)
      if (leases.isCurrent(lease)) void positions.restart(lease, lease.backoff.wait())
      return false
    }
    lease.backoff.reset()
    lease.oldestAt = (records.at(-1) as PositionedRecord).receivedAt
    return true
  }

  /** Never rejects: its finding is in `isStale`. */
  async function heartbeat(payload: EachBatchPayload): Promise<void> {
    await payload.heartbeat().catch(leases.refused)
  }

  return async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const lease = leases.get(batch.partition)
    if (lease?.position === undefined) return
    lease.endOffset = Math.max(lease.endOffset, Number(batch.highWatermark))
    const { fetchedOffset } = batch as typeof batch & { fetchedOffset: string }
    // The client goes elsewhere by itself after "offset out of range", or with a fetch of an earlier assignment.
    if (lease.position !== Number(fetchedOffset)) return void positions.restart(lease)
    const stopBeat = repeat(options.heartbeatIntervalMs, () => heartbeat(payload))
    await handleAll(lease, payload).finally(stopBeat)
    leases.throwGroupError()
  }
}
