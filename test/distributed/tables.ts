/** The content of a store, in a form that is equal for equal stores: signed rows collapsed, every event once, nothing of when. */
import type { ClickHouseClient } from '@clickhouse/client'
import { createConsumer } from '../../services/consumer/consumer.ts'
import type { LogRecord, PositionedRecord } from '../../services/event-log/event-log.ts'
import { toBatch } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

type Rows = Record<string, unknown>[]

const signed = (table: string) =>
  `SELECT * EXCEPT (sign), toInt32(sum(sign)) AS copies FROM rollcall.${table} GROUP BY ALL HAVING copies != 0 ORDER BY ALL`

const statements = {
  // Drift also says how the request came.
  events: 'SELECT * EXCEPT (received_at, drift) FROM rollcall.events ORDER BY event_id',
  failed_events: 'SELECT event_id, reasons FROM rollcall.failed_events ORDER BY event_id',
  open_versions: signed('open_versions'),
  closed_versions: signed('closed_versions'),
  user_versions: signed('user_versions'),
  link_versions: signed('link_versions'),
} as const

export type Tables = Record<keyof typeof statements, Rows>

export async function readTables(client: ClickHouseClient): Promise<Tables> {
  const tables: Partial<Tables> = {}
  for (const [name, query] of Object.entries(statements)) {
    const answer = await client.query({ query, format: 'JSONEachRow' })
    tables[name as keyof Tables] = await answer.json()
  }
  return tables as Tables
}

/** The tables that the records should give: put through a consumer in one process, in one go, without any fault. */
export async function readExpectedTables(records: readonly LogRecord[]): Promise<Tables> {
  const store = await openTestStore()
  try {
    const consumer = createConsumer({ client: store.writer })
    const positioned = records.map((record, offset): PositionedRecord => ({ ...record, offset }))
    for (let start = 0; start < positioned.length; start += 5_000) {
      await consumer.handle(toBatch(positioned.slice(start, start + 5_000)))
    }
    return await readTables(store.reader)
  } finally {
    await store.close()
  }
}
