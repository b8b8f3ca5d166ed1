/** `rollcall ledger`: where every delivery is in all, and what became of them per source and hour. */
import { z } from 'zod'
import { toInstant, toInstantOrNull } from '../../../schemas/instant.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { CommandError, type CommandResult, defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { select } from '../statements.ts'
import { auditCommand } from './access.ts'

const outcomes = ['stored', 'repeated', 'failed'] as const
const totals = ['given', 'waiting', ...outcomes, 'lost', 'difference'] as const
type Line = { hour: string; source: string } & Record<(typeof outcomes)[number], number>
type Total = Record<(typeof totals)[number], number>

const hourMs = 3_600_000
const mostRows = 5_000

export function createLedgerCommand({ client }: CommandDeps) {
  return defineCommand(z.object({ hours: z.number() }), async ({ hours }) => {
    const from = Math.max(0, Math.floor((Date.now() - hours * hourMs) / 1000))
    const rows = await select<Line>(client, 'ledger-rows', { from, limit: mostRows })
    const [total] = (await select<Total>(client, 'ledger-total')) as [Total]
    const [report] = await select<{ reportedAt: number }>(client, 'waiting-report')
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
        ...toReportLines(report?.reportedAt, Date.now()),
        isSettled
          ? 'Every delivery is accounted for.'
          : `${total.lost} deliveries are lost, and the difference is ${total.difference}. See docs/runbooks.md#rollcallledgerdifference.`,
      ],
      data: {
        hours: rows,
        total,
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

function toTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Record<Column, string | number>[],
): string[] {
  const cells = [columns.map(String), ...rows.map((row) => columns.map((column) => String(row[column])))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const isText = columns.map((_, at) => typeof rows[0]?.[columns[at] as Column] === 'string')
  return cells.map((line) =>
    line
      .map((cell, at) => (isText[at] === true ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

// `rollcall ledger forget`: gives up a spool that held deliveries and is gone for good, such as a deleted volume. Until then it
// rightly holds back how far the numbers are complete; from then on its deliveries are lost in the ledger.

type Holding = {
  place: 'spool' | 'lost'
  holder: string
  address: string
  records: number
  oldestAt: number
  reportedAt: number
}

const answerTimeoutMs = 3_000

export function createLedgerForgetCommand(deps: CommandDeps) {
  const { client } = deps

  type Row = Omit<Holding, 'reportedAt'>
  async function write({ place, holder, address, records, oldestAt }: Row): Promise<void> {
    const empty = { emptied_at: 0, stalled_since: 0, code: '', reason: address }
    const row = { place, holder, records, oldest_at: oldestAt, ...empty, reported_at: Date.now() }
    await insertRows(client, 'waiting_rows', [row])
  }

  async function forget(spool: Holding): Promise<CommandResult> {
    const { holder, address, records, oldestAt } = spool
    // The lost ones first: ended in between, they are counted twice until the command is run again, and never not at all.
    await write({ ...spool, place: 'lost', holder: toLostName(spool) })
    await write({ ...spool, records: 0, oldestAt: 0 })
    await auditCommand(deps, 'spool_forgotten', `${holder} of ${address}: ${records} deliveries`)
    return {
      outcome: 'done',
      lines: [
        `Forgotten: the spool ${holder} of ${address}. The ledger shows its ${records} deliveries as lost.`,
        'Ask the platform for what they said: rollcall backfill --from <day before> --to <now> --heal.',
        'If the spool is found after all, start its ingest process again: it delivers by itself. Then run this with --undo.',
      ],
      data: { spool: holder, forgotten: true, lost: records, oldest_at: toInstantOrNull(oldestAt) },
    }
  }

  async function undo(holder: string, forgotten: readonly Holding[]): Promise<CommandResult> {
    const lost = forgotten.filter(({ holder: name }) => name.startsWith(`${holder} `))
    if (lost.length === 0) throw new CommandError('usage', `No spool ${holder} was forgotten.`)
    for (const each of lost) await write({ ...each, records: 0 })
    const records = lost.reduce((sum, each) => sum + each.records, 0)
    await auditCommand(deps, 'spool_forgotten', `${holder}: taken back, ${records} deliveries`)
    return {
      outcome: 'done',
      lines: [`Taken back: ${records} deliveries of the spool ${holder} are no longer lost in the ledger.`],
      data: { spool: holder, forgotten: false, lost: 0 },
    }
  }

  return defineCommand(
    z.object({ spool: z.string().optional(), confirmed: z.boolean(), undo: z.boolean() }),
    async ({ spool: holder, confirmed, undo: isUndo }) => {
      const rows = await select<Holding>(client, 'held-spools')
      const spools = rows.filter(({ place }) => place === 'spool')
      if (holder === undefined) return toList(spools)
      const lost = rows.filter(({ place }) => place === 'lost')
      if (isUndo) return undo(holder, lost)
      const spool = spools.find((each) => each.holder === holder)
      if (spool === undefined) {
        const list =
          spools.length === 0 ? 'No spool holds anything.' : `Known: ${spools.map((each) => each.holder).join(', ')}.`
        throw new CommandError('usage', `No spool ${holder} is known to hold deliveries. ${list}`)
      }
      if (await answers(spool)) {
        throw new CommandError(
          'failed',
          `${spool.address} answers: its spool is not gone, and delivers by itself as soon as Kafka takes it. Nothing was changed.`,
        )
      }
      if (confirmed) return forget(spool)
      return {
        outcome: 'done',
        lines: [
          `${toLine(spool)}, and does not answer.`,
          'Once it is forgotten, the ledger shows them as lost, and numbers are complete without them.',
          'Is its disk still somewhere? Then start an ingest process on it instead; it loses nothing.',
          'Nothing was changed. Forget it with --yes.',
        ],
        data: { spool: holder, forgotten: false, records: spool.records, oldest_at: toInstantOrNull(spool.oldestAt) },
      }
    },
  )
}

function toList(spools: readonly Holding[]): CommandResult {
  return {
    outcome: 'done',
    lines: spools.length === 0 ? ['No spool holds anything.'] : spools.map((spool) => `${toLine(spool)}.`),
    data: {
      spools: spools.map(({ holder, address, records, oldestAt, reportedAt }) => ({
        spool: holder,
        address,
        records,
        oldest_at: toInstantOrNull(oldestAt),
        reported_at: toInstantOrNull(reportedAt),
      })),
    },
  }
}

/** One that was found again may be lost a second time. */
function toLostName({ holder, reportedAt }: Holding): string {
  return `${holder} ${toInstantOrNull(reportedAt)}`
}

function toLine({ holder, address, records, oldestAt, reportedAt }: Holding): string {
  const since = oldestAt === 0 ? '' : `, the oldest of ${toInstantOrNull(oldestAt)}`
  return `The spool ${holder} of ${address} held ${records} deliveries at ${toInstantOrNull(reportedAt)}${since}`
}

/** Not if another spool answers: addresses of containers are used again. Any other answer may be of a process that holds it. */
async function answers({ holder, address }: Holding): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/spool', address), { signal: AbortSignal.timeout(answerTimeoutMs) })
    const spool = (await answer.json().catch(() => ({}))) as { id?: unknown } | null
    return (spool?.id ?? holder) === holder
  } catch {
    return false
  }
}
