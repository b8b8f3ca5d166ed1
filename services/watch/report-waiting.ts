/**
 * Writes to the store what waits to be stored, for the pages, the ledger and `doctor`, which may be other processes. Nothing is
 * written while nothing waits and nothing did at the last look.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import type { Stall, WaitingPart } from './watch-progress.ts'

export function createWaitingReport(client: ClickHouseClient) {
  /** Partitions of which the store believes that something waits. */
  const reportedPartitions = new Set<number>()
  return {
    /** `reportedAt`: taken before the lag was, so that deliveries stored since are never counted twice. */
    async write(parts: readonly WaitingPart[], stall: Stall | undefined, reportedAt: number): Promise<void> {
      const changed = parts.filter(({ partition, records }) => records > 0 || reportedPartitions.has(partition))
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
            reported_at: reportedAt,
          }
        }),
      )
      for (const { partition, records } of changed) {
        if (records > 0) reportedPartitions.add(partition)
        else reportedPartitions.delete(partition)
      }
    },
  }
}
