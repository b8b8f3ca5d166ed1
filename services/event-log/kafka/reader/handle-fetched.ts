/** Hands on the fetched records: one by one in order, as long as the partition is this reader's. */
import type { EachBatchPayload } from 'kafkajs'
import type { PositionedRecord, ReaderOptions } from '../../event-log.ts'
import { toText } from '../errors.ts'
import type { CaughtUp } from './caught-up.ts'
import { cutBatches, firstRetryMs, type Lease, nextRetryMs, type SessionContext } from './lease.ts'
import type { Placement } from './placement.ts'
import { toRecord } from '../record.ts'
import { repeat } from '../../../runtime/repeat.ts'

type FetchedOptions = SessionContext & {
  limits: ReaderOptions
  heartbeatIntervalMs: number
  placement: Placement
  caughtUp: CaughtUp
}

export function createFetchedHandler(options: FetchedOptions) {
  const { topic, handler, limits, leases, membership, placement, caughtUp, logger, exclusive, onError } =
    options
  const commits = new Set<Promise<void>>()

  async function onBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const lease = leases.get(batch.partition)
    if (lease?.position === undefined) return
    lease.endOffset = Math.max(lease.endOffset, Number(batch.highWatermark))
    const { fetchedOffset } = batch as typeof batch & { fetchedOffset: string }
    // The client goes elsewhere by itself after "offset out of range", or with a fetch of an earlier assignment.
    if (lease.isDoubtful || lease.position !== Number(fetchedOffset)) {
      void placement.restart(lease, 0)
      return
    }
    const stopBeat = repeat(options.heartbeatIntervalMs, () => heartbeat(payload))
    let isOver: boolean
    try {
      isOver = await handleAll(lease, payload)
    } finally {
      stopBeat()
    }
    if (isOver) throwNotice()
  }

  /** `false`: it ended early, because the session stops, or the partition was lost or requested again. */
  async function handleAll(lease: Lease, payload: EachBatchPayload): Promise<boolean> {
    const { batch } = payload
    for (const records of cutBatches(batch.messages.map(toRecord), limits)) {
      const last = (records.at(-1) as PositionedRecord).offset
      // Marks of transactions take offsets and are not records: the client resolves them with the last one.
      const next = last === Number(batch.messages.at(-1)?.offset) ? Number(batch.lastOffset()) + 1 : last + 1
      if (!leases.isCurrent(lease) || !(await handle(lease, { records, next }, payload))) return false
      lease.position = next
      lease.reached = next
      payload.resolveOffset(String(last))
      commit(payload, batch.partition, next)
      await caughtUp.tell(lease)
      throwNotice()
    }
    return true
  }

  /** The client joins the group again when its own error comes back to it. */
  function throwNotice(): void {
    const notice = membership.notice()
    if (notice !== undefined) throw notice
  }

  /** `false`: not stored, it will be delivered again. */
  async function handle(
    lease: Lease,
    { records, next }: { records: [PositionedRecord, ...PositionedRecord[]]; next: number },
    payload: EachBatchPayload,
  ): Promise<boolean> {
    const isStale = () => !leases.isOurs(lease) || !membership.isLive()
    lease.oldestAt = records[0].receivedAt
    try {
      const isHandled = await exclusive(async () => {
        // Other partitions had their turn before; by now it may be someone else's, or time to stop.
        if (!leases.isCurrent(lease)) return false
        await handler.handle({
          partition: lease.partition,
          records,
          from: lease.reached ?? records[0].offset,
          next,
          heartbeat: () => heartbeat(payload),
          isStale,
        })
        return true
      })
      if (!isHandled) return false
    } catch (error) {
      // A reader that has lost the partition must stop; that is not a failure.
      if (!isStale()) onError(error)
      if (leases.isCurrent(lease)) void placement.restart(lease, nextRetryMs(lease))
      throwNotice()
      return false
    }
    lease.retryMs = firstRetryMs
    lease.oldestAt = (records.at(-1) as PositionedRecord).receivedAt
    return true
  }

  /** Never rejects: its finding is in `isStale`. A broker that is away does not stop a batch while it is still ours. */
  async function heartbeat(payload: EachBatchPayload): Promise<void> {
    try {
      await payload.heartbeat()
    } catch (error) {
      membership.refused(error)
    }
  }

  /** For tools that show lag; nothing of ours reads it. */
  function commit(payload: EachBatchPayload, partition: number, next: number): void {
    const committed = payload
      .commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: String(next) }] }] })
      .catch((error: unknown) => logger.debug({ says: toText(error) }, 'The offset could not be committed'))
      .finally(() => commits.delete(committed))
    commits.add(committed)
  }

  return {
    onBatch,
    /** Waits for the commits under way. */
    async settled(): Promise<void> {
      await Promise.allSettled(commits)
    },
  }
}
