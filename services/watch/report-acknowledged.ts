/**
 * Writes to the store what ingest has counted itself, apart from the log, so that the ledger can say what the log has lost. A count can
 * be compared once everything received before the report is stored; until then nothing newer is reported, and the report before stays.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { select } from './statements.ts'

export const acknowledgedSchema = z.object({
  /** Name of the file in which it is counted. */
  id: z.string(),
  /** `hour`: its begin, epoch s. */
  cells: z.array(z.object({ source: z.string(), hour: z.number(), count: z.number() })),
})

/** `reportedAt`: everything in it was received before, epoch ms. */
export type ReportedCounts = z.infer<typeof acknowledgedSchema> & { reportedAt: number }

/** Epoch ms. `latest`: of the reports in the store, by whatever clock; 0 = none. */
type Standing = { through: number | null; latest: number }

export function createAcknowledgedReport(client: ClickHouseClient) {
  /** By file, source and hour: the counts that the store has. */
  const lastCounts = new Map<string, number>()
  let turn = 0
  let lastReportedAt = -Infinity

  return {
    async write(counts: readonly ReportedCounts[]): Promise<void> {
      const changed = counts.flatMap(({ id, cells, reportedAt }) =>
        cells
          .map((cell) => ({ id, ...cell, reportedAt, name: `${id} ${cell.source} ${cell.hour}` }))
          .filter(({ name, count }) => lastCounts.get(name) !== count),
      )
      if (changed.length === 0) return
      const reportedAt = Math.max(...changed.map((cell) => cell.reportedAt))
      const [standing] = await select<Standing>(client, 'acknowledged-standing')
      const isSettled = (standing?.through ?? -Infinity) >= lastReportedAt
      // A clock that was set back must not silence this until it is there again.
      if (!isSettled && reportedAt >= lastReportedAt) return
      turn = 1 - turn
      await insertRows(
        client,
        'acknowledged_rows',
        changed.map(({ id, source, hour, count, reportedAt: at }) => ({
          holder: id,
          source,
          hour,
          turn,
          acknowledged: count,
          // Later than all that stand: a report from a clock that was ahead must not outlast this one.
          reported_at: Math.max(at, (standing?.latest ?? 0) + 1),
          counted_at: at,
        })),
      )
      lastReportedAt = reportedAt
      for (const { name, count } of changed) lastCounts.set(name, count)
    },
  }
}
