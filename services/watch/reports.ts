/** What waits to be stored, as the consumer's process reports it to the store. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { BatchHandler } from '../event-log/event-log.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { toLaterTime } from '../clickhouse/statements.ts'
import { select } from './statements.ts'
import type { Stall, WaitingPart } from './watch-progress.ts'

/**
 * Writes to the store what waits to be stored, for the pages, the ledger and `doctor`, which may be other processes. Nothing is
 * written of a partition in which nothing waits by the log and by the store.
 */
export function createWaitingReport(client: ClickHouseClient) {
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
      // As they were when the lag was taken.
      const underWay = new Map(begun)
      const rows = await select<{ holder: string; records: number; reportedAt: number }>(
        client,
        'waiting-standing',
      )
      const standing = new Map(rows.map((row) => [row.holder, row]))
      const reports = parts.flatMap(({ partition, records, oldestMs }) => {
        const holder = String(partition)
        const before = standing.get(holder)
        if (records === 0 && (before?.records ?? 0) === 0) return []
        const stalled = stall?.partitions.includes(partition) === true ? stall : undefined
        return {
          place: 'log',
          holder,
          records,
          oldest_at: records === 0 ? 0 : reportedAt - oldestMs,
          emptied_at: 0,
          stalled_since: stalled?.since ?? 0,
          code: stalled?.failure?.code ?? '',
          reason: stalled?.failure?.message ?? '',
          reported_at: toLaterTime(
            Math.min(reportedAt, underWay.get(partition) ?? reportedAt),
            before?.reportedAt,
          ),
        }
      })
      await insertRows(client, 'waiting_rows', reports)
    },
  }
}
