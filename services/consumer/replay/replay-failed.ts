/**
 * Reads the failed events with this version's parser. Usable ones are appended to the log with the same bytes and id,
 * become events, and leave the failed ones. Repeating this before the consumer has stored them appends harmless repeats.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { parseDelivery, toLogKey } from '../../../schemas/webhook/parse-delivery.ts'
import type { LogRecord } from '../../event-log/event-log.ts'
import type { Progress } from '../../runtime/control/command.ts'
import { selectRows } from '../store/sql.ts'

export type ReplayFailedOptions = {
  client: ClickHouseClient
  /** Resolves once all are durable in the log. */
  append(records: LogRecord[]): Promise<void>
  /** Appends nothing. */
  dryRun: boolean
  report?: (progress: Progress) => void
  signal?: AbortSignal
}

export type ReplayFailedResult = {
  read: number
  usable: number
  /** Why the others are still unusable, with counts. */
  reasons: Record<string, number>
}

type Row = { eventId: string; receivedAt: number; source: string; body: string }

const eventsPerStep = 500
const beforeAll = '00000000-0000-0000-0000-000000000000'

export async function replayFailed(options: ReplayFailedOptions): Promise<ReplayFailedResult> {
  const { client, append, dryRun, report, signal } = options
  const result: ReplayFailedResult = { read: 0, usable: 0, reasons: {} }
  for (let after = beforeAll; ;) {
    signal?.throwIfAborted()
    const rows = await selectRows<Row>(client, '../../replay/failed-events-after', { after, limit: eventsPerStep })
    const last = rows.at(-1)
    if (last === undefined) return result
    after = last.eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const usable: LogRecord[] = []
    for (const { eventId, receivedAt, source, body: base64 } of rows) {
      const body = Buffer.from(base64, 'base64')
      const delivery = parseDelivery(body)
      if (delivery.outcome === 'event') {
        usable.push({ key: toLogKey(delivery, eventId), eventId, source, receivedAt, body })
      } else {
        for (const reason of new Set(delivery.problems.map((problem) => problem.reason))) {
          result.reasons[reason] = (result.reasons[reason] ?? 0) + 1
        }
      }
    }
    if (!dryRun && usable.length > 0) await append(usable)
    result.read += rows.length
    result.usable += usable.length
    report?.({ step: 'Reading failed events again', done: result.read })
  }
}
