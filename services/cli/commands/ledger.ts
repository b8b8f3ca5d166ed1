/** `rollcall ledger`: where every acknowledged delivery is, per source and hour. */
import { z } from 'zod'
import { defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { select } from '../statements.ts'
import { toInstant } from '../../../schemas/instant.ts'

const counts = ['acknowledged', 'waiting', 'stored', 'duplicate', 'failed', 'difference', 'answered'] as const
type Counts = Record<(typeof counts)[number], number>
type Row = Counts & { source: string; hour: string }

const hourMs = 3_600_000

export function createLedgerCommand({ client }: CommandDeps) {
  return defineCommand(z.object({ hours: z.number() }), async ({ hours }) => {
    const from = Math.floor((Date.now() - hours * hourMs) / 1000)
    const rows = await select<Row>(client, 'ledger-rows', { from })
    const [total] = await select<Counts>(client, 'ledger-total')
    const [report] = await select<{ reportedAt: number }>(client, 'waiting-report')
    const isSettled = total === undefined || total.difference === 0
    const everything: Row[] = total === undefined ? [] : [{ source: 'since the beginning', hour: '', ...total }]
    return {
      outcome: isSettled ? 'done' : 'problems',
      lines: [
        ...toTable([...rows, ...everything]),
        '',
        ...toReportLines(report?.reportedAt, Date.now()),
        isSettled
          ? 'Every acknowledged delivery is accounted for.'
          : `${total.difference} acknowledged deliveries are not accounted for. See docs/runbooks.md#rollcallledgerdifference.`,
      ],
      data: {
        hours: rows,
        total: total ?? null,
        waiting_reported_at: report === undefined ? null : toInstant(report.reportedAt),
      },
    }
  })
}

/** A consumer that runs reports every 5 s how many deliveries wait. */
const silentAfterMs = 60_000

/** The deliveries that wait are those of the last report: without a consumer there may be more by now. */
function toReportLines(reportedAt: number | undefined, now: number): string[] {
  if (reportedAt === undefined || now - reportedAt < silentAfterMs) return []
  const minutes = Math.floor((now - reportedAt) / 60_000)
  return [
    `What waits was last said ${minutes} min ago (${toInstant(reportedAt)}) and may be more by now: a consumer or a spool says nothing since.`,
  ]
}

function toTable(rows: readonly Row[]): string[] {
  const columns = ['hour', 'source', ...counts] as const
  const cells = [columns.map(String), ...rows.map((row) => columns.map((column) => String(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  return cells.map((line) =>
    line
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
