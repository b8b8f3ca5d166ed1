/**
 * Stores again what the log still holds: restores rows that the store lost, and adds what a newer parser reads. Positions
 * and ledger stay, and existing rows do not change, so it can be stopped and restarted at any time.
 */
import type { LogSlice } from '../../event-log/event-log.ts'
import type { Progress } from '../../runtime/control/command.ts'
import type { Consumer } from '../../consumer/consumer.ts'

export type ReplayLogOptions = {
  slices: AsyncIterable<LogSlice>
  consumer: Pick<Consumer, 'restore'>
  report?: (progress: Progress) => void
  signal?: AbortSignal
}

export type ReplayLogResult = {
  records: number
  events: number
  failed: number
  /** When the oldest record of the log was received; `null` where it is empty. */
  oldest: string | null
}

export async function replayLog({ slices, consumer, report, signal }: ReplayLogOptions): Promise<ReplayLogResult> {
  const result: ReplayLogResult = { records: 0, events: 0, failed: 0, oldest: null }
  for await (const { partition, records } of slices) {
    signal?.throwIfAborted()
    const { failed } = await consumer.restore(partition, records)
    result.records += records.length
    result.failed += failed
    result.events += records.length - failed
    const oldestMs = records.reduce((oldest, record) => Math.min(oldest, record.receivedAt), Infinity)
    const oldest = new Date(oldestMs).toISOString()
    if (result.oldest === null || oldest < result.oldest) result.oldest = oldest
    report?.({ step: 'Storing what the log has', done: result.records })
  }
  return result
}
