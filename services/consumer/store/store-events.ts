/** The first step of a batch: events, bodies, failed events, observations and names, each in one INSERT. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Prepared } from '../rows.ts'
import { toDateTime } from '../rows.ts'

export async function storeEvents(client: ClickHouseClient, prepared: readonly Prepared[]): Promise<void> {
  const events = prepared.filter((item) => item.outcome === 'event')
  const failed = prepared.filter((item) => item.outcome === 'failed')
  await insert(
    'event_bodies',
    ['event_id', 'body_base64'],
    events.map(({ record }) => ({ event_id: record.eventId, body_base64: toBase64(record.body) })),
  )
  await insert(
    'event_rows',
    undefined,
    events.map((item) => item.row),
  )
  await insert(
    'failed_event_rows',
    ['event_id', 'received_at', 'source', 'log_partition', 'log_offset', 'reasons', 'problems', 'body_base64'],
    failed.map(({ row, record }) => ({ ...row, body_base64: toBase64(record.body) })),
  )
  await insert(
    'user_observations',
    undefined,
    events.flatMap(({ observation }) =>
      observation === undefined
        ? []
        : [
            {
              user_id: observation.userId,
              observed_at: toDateTime(observation.observedAtMs),
              kind: observation.kind,
              observation_id: observation.observationId,
              is_deleted: observation.isDeleted ?? null,
              is_permanently_deleted: observation.isPermanentlyDeleted ?? null,
              has_teams: observation.teams !== undefined,
              teams: observation.teams ?? [],
              has_managers: observation.managers !== undefined,
              managers: observation.managers ?? [],
              has_direct_reports: observation.directReports !== undefined,
              direct_reports: observation.directReports ?? [],
              name: observation.name ?? null,
              email: observation.email ?? null,
            },
          ],
    ),
  )
  const names = new Map(events.flatMap((item) => item.names).map((row) => [JSON.stringify(row), row]))
  await insert('names', undefined, [...names.values()])

  async function insert(table: string, columns: [string, ...string[]] | undefined, values: unknown[]): Promise<void> {
    if (values.length === 0) return
    await client.insert({ table: `rollcall.${table}`, values, format: 'JSONEachRow', ...(columns && { columns }) })
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
