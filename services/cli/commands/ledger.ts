/** `rollcall ledger`: where every webhook is in all, and the outcomes per source and hour. */
import { z } from 'zod'
import { toInstant } from '../../../schemas/instant.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { CommandError } from '../../runtime/control/command.ts'
import { storeCommand, text, value, wholeNumber } from '../command.ts'
import { auditCommand } from '../open-access.ts'
import { select } from '../statements.ts'

const outcomes = ['stored', 'repeated', 'failed'] as const
const totals = ['given', 'waiting', ...outcomes, 'lost', 'difference'] as const
type Line = { hour: string; source: string } & Record<(typeof outcomes)[number], number>
type Total = Record<(typeof totals)[number], number>

const hourMs = 3_600_000
const mostRows = 5_000
/** A running consumer reports every 5 s how many webhooks wait. */
const silentAfterMs = 60_000

export const ledger = storeCommand({
  usage: 'ledger',
  summary: 'Show where every webhook is, in all and per source and hour.',
  examples: ['rollcall ledger', 'rollcall ledger --hours 168 --json'],
  options: z.object({ hours: value('n', 'hours to show', wholeNumber(999_999).default(24)) }),
  async run({ hours }, { client }) {
    const from = Math.max(0, Math.floor((Date.now() - hours * hourMs) / 1000))
    const rows = await select<Line>(client, 'ledger-rows', { from, limit: mostRows })
    const [total] = (await select<Total>(client, 'ledger-total')) as [Total]
    const isSettled = total.lost === 0 && total.difference === 0
    return {
      outcome: isSettled ? 'done' : 'problems',
      lines: [
        ...toTable(['hour', 'source', ...outcomes], rows),
        ...(rows.length === mostRows ? [`Only the latest ${mostRows} rows are shown.`] : []),
        '',
        'Since the beginning:',
        ...toTable(totals, [total]),
        '',
        isSettled
          ? 'Every webhook is accounted for.'
          : `${total.lost} webhooks are lost, and the difference is ${total.difference}. See docs/runbooks.md#rollcallledgerdifference.`,
      ],
      data: { hours: rows, total },
    }
  },
})

function toTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Record<Column, string | number>[],
): string[] {
  const cells = [columns.map(String), ...rows.map((row) => columns.map((column) => String(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const isText = columns.map((column) => typeof rows[0]?.[column] === 'string')
  const toCell = (cell: string, at: number) =>
    cell[isText[at] === true ? 'padEnd' : 'padStart'](widths[at] ?? 0)
  return cells.map((line) => line.map(toCell).join('  ').trimEnd())
}

type Spool = { holder: string; address: string; records: number; oldestAt: number; reportedAt: number }

/**
 * A spool that is gone for good, such as a deleted volume, holds back how far numbers are complete. Once it
 * is forgotten, its webhooks count as lost, until it reports again. `rollcall doctor` names silent spools.
 */
export const ledgerForget = storeCommand({
  usage: 'ledger forget <spool>',
  summary: 'Give up a spool that is gone for good. Its webhooks count as lost.',
  examples: ['rollcall ledger forget 4f1c0e6b9a2d7385'],
  options: z.object({ spool: text }),
  async run({ spool: holder }, deps) {
    const spools = await select<Spool>(deps.client, 'held-spools')
    const spool = spools.find((each) => each.holder === holder)
    if (spool === undefined) {
      const known = spools.map((each) => each.holder).join(', ') || 'none'
      throw new CommandError('usage', `No spool ${holder} holds webhooks. Known: ${known}.`)
    }
    const { address, records, oldestAt, reportedAt } = spool
    if (Date.now() - reportedAt < silentAfterMs) {
      const problem = `The spool ${holder} of ${address} reports, so it is not gone. Nothing was changed.`
      throw new CommandError('failed', problem)
    }
    const rest = { emptied_at: 0, stalled_since: 0, code: '', reason: address, reported_at: Date.now() }
    // In one insert, so that they never count twice. A spool that was found again may be lost a second time.
    await insertRows(deps.client, 'waiting_rows', [
      { place: 'lost', holder: `${holder} ${toInstant(reportedAt)}`, records, oldest_at: oldestAt, ...rest },
      { place: 'spool', holder, records: 0, oldest_at: 0, ...rest },
    ])
    await auditCommand(deps, 'spool_forgotten', `${holder} of ${address}: ${records} webhooks`)
    return {
      outcome: 'done',
      lines: [
        `Forgotten: the spool ${holder} of ${address}. The ledger shows its ${records} webhooks as lost.`,
        'To fetch their states from the platform: rollcall backfill --all --repair.',
        'If the spool is found, start its ingest process again. It delivers by itself, and is no longer lost.',
      ],
      data: { spool: holder, lost: records },
    }
  },
})
