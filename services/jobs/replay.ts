/**
 * Reads failed events with this version's parser, as they are or with a fix. Usable ones are appended to the log, become events,
 * and leave the failed ones: without a fix with the same bytes and id, with one as an event of its own. Repeating this before the
 * consumer has stored them appends harmless repeats.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { fixBody, type Patch } from '../../schemas/webhook/fix-body.ts'
import { parseDelivery, toEventId, toLogKey } from '../../schemas/webhook/parse-delivery.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import type { LogRecord } from '../event-log/event-log.ts'
import type { Progress } from '../runtime/control/command.ts'
import { select } from './statements.ts'

export type ReplayFailedOptions = {
  client: ClickHouseClient
  append(records: LogRecord[]): Promise<void>
  dryRun: boolean
  only?: FailedSelection | undefined
  /** A JSON merge patch (RFC 7396) for each body. Default: bodies stay as they are. */
  fix?: Patch | undefined
  report?: (progress: Progress) => void
  signal?: AbortSignal
}

/** Those with one reason, or these. An empty list of ids selects nothing. */
export type FailedSelection = { reason: string } | { ids: readonly string[] }

export type ReplayFailedResult = {
  read: number
  usable: number
  /** Bodies that the fix cannot change, with counts by why. */
  unfixable: Record<string, number>
  /** Why the others are still unusable, with counts. */
  reasons: Record<string, number>
}

type Row = { eventId: string; receivedAt: number; source: string; body: string }

const eventsPerStep = 500
const beforeAll = '00000000-0000-0000-0000-000000000000'

export async function replayFailed(options: ReplayFailedOptions): Promise<ReplayFailedResult> {
  const { client, append, dryRun, only, fix, report, signal } = options
  const result: ReplayFailedResult = { read: 0, usable: 0, unfixable: {}, reasons: {} }
  const selection = {
    reason: only && 'reason' in only ? only.reason : '',
    ids: only && 'ids' in only ? only.ids : [],
  }
  if (only !== undefined && selection.reason === '' && selection.ids.length === 0) return result
  for (let after = beforeAll; ;) {
    signal?.throwIfAborted()
    const params = { after, limit: eventsPerStep, ...selection }
    const rows = await select<Row>(client, 'failed-events-after', params)
    const last = rows.at(-1)
    if (last === undefined) return result
    after = last.eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const usable: LogRecord[] = []
    const fixed: { from: string; to: string }[] = []
    for (const row of rows) {
      const record = toUsable(row, fix, result)
      if (record === undefined) continue
      usable.push(record)
      if (record.eventId !== row.eventId) fixed.push({ from: row.eventId, to: record.eventId })
    }
    if (!dryRun && usable.length > 0) {
      // First: a fix that is known and not stored leaves the failed event one, the other way round it would be there twice.
      await insertRows(
        client,
        'failed_event_fixes',
        fixed.map(({ from, to }) => ({ event_id: from, fixed_event_id: to, fixed_at: Date.now() })),
      )
      await append(usable)
    }
    result.read += rows.length
    result.usable += usable.length
    report?.({ step: 'Reading failed events again', done: result.read })
  }
}

/** Its record for the log; `undefined`: it is still not usable, which is counted. */
function toUsable(
  { eventId, receivedAt, source, body: base64 }: Row,
  fix: Patch | undefined,
  result: ReplayFailedResult,
): LogRecord | undefined {
  let body: Uint8Array = Buffer.from(base64, 'base64')
  let id = eventId
  if (fix !== undefined) {
    const fixed = fixBody(body, fix)
    if (!fixed.ok) {
      count(result.unfixable, fixed.problem)
      return undefined
    }
    body = fixed.body
    id = toEventId(body)
  }
  const delivery = parseDelivery(body)
  if (delivery.outcome === 'event')
    return { key: toLogKey(delivery, id), eventId: id, source, receivedAt, body }
  for (const reason of new Set(delivery.problems.map((problem) => problem.reason)))
    count(result.reasons, reason)
  return undefined
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
