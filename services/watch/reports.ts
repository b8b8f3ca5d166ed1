/** What waits to be stored, as the consumer's process reports it to the store. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { BatchHandler } from '../event-log/event-log.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { toLaterTime } from '../clickhouse/statements.ts'
import { select } from './statements.ts'
import type { Stall, WaitingPart } from './watch-progress.ts'

/**
 * Writes to the store what waits to be stored, for the pages, the ledger and `doctor`, which may be other processes. Nothing is
 * written while nothing waits and nothing did at the last look.
 */
export function createWaitingReport(client: ClickHouseClient) {
  /** Partitions of which the store believes that something waits. */
  const reportedPartitions = new Set<number>()
  /** Those of the last look. Of others the process that had them may have said that something waits. */
  let known: ReadonlySet<number> = new Set()
  /** By partition: when the batch under way was begun. */
  const begun = new Map<number, number>()
  return {
    /** The same handler. The deliveries of a batch wait, by the lag, until all of them are stored: the report is as of its begin. */
    watching: (handler: BatchHandler): BatchHandler => ({
      ...handler,
      async handle(batch) {
        begun.set(batch.partition, Date.now() - 1)
        try {
          await handler.handle(batch)
        } finally {
          begun.delete(batch.partition)
        }
      },
    }),
    /** `reportedAt`: taken before the lag was, so that deliveries stored since are never counted twice. */
    async write(parts: readonly WaitingPart[], stall: Stall | undefined, reportedAt: number): Promise<void> {
      const isChanged = ({ partition, records }: WaitingPart) =>
        records > 0 || reportedPartitions.has(partition)
      if (!parts.some((part) => isChanged(part) || !known.has(part.partition))) return
      // As they were when the lag was taken.
      const underWay = new Map(begun)
      const rows = await select<{ holder: string; records: number; reportedAt: number }>(
        client,
        'waiting-standing',
      )
      const standing = new Map(rows.map((row) => [row.holder, row]))
      for (const { partition } of parts)
        if (!known.has(partition) && (standing.get(String(partition))?.records ?? 0) > 0)
          reportedPartitions.add(partition)
      const changed = parts.filter(isChanged)
      await insertRows(
        client,
        'waiting_rows',
        changed.map(({ partition, records, oldestMs }) => {
          const isStalled = stall?.partitions.includes(partition) ?? false
          return {
            place: 'log',
            holder: String(partition),
            records,
            oldest_at: records === 0 ? 0 : reportedAt - oldestMs,
            emptied_at: 0,
            stalled_since: isStalled ? (stall?.since ?? 0) : 0,
            code: isStalled ? (stall?.failure?.code ?? '') : '',
            reason: isStalled ? (stall?.failure?.message ?? '') : '',
            reported_at: toLaterTime(
              Math.min(reportedAt, underWay.get(partition) ?? reportedAt),
              standing.get(String(partition))?.reportedAt,
            ),
          }
        }),
      )
      known = new Set(parts.map(({ partition }) => partition))
      for (const { partition, records } of changed) {
        if (records > 0) reportedPartitions.add(partition)
        else reportedPartitions.delete(partition)
      }
    },
  }
}
