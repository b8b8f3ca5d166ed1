/** The first step of a batch: events, bodies, failed events, observations and names, each in one INSERT. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toDeliveryColumns, type DeliveredObservation, type Prepared, type PreparedEvent } from '../rows.ts'
import { erasedBody } from '../erased-people.ts'
import { inParallel } from '../in-parallel.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'

export async function storeEventRows(client: ClickHouseClient, prepared: readonly Prepared[]): Promise<void> {
  const rows = toEvents(prepared).map((item) => item.row)
  await insertRows(client, 'event_rows', rows)
}

export async function storeObservations(
  client: ClickHouseClient,
  observations: readonly DeliveredObservation[],
): Promise<void> {
  await insertRows(client, 'user_observations', observations.map(toObservationRow))
}

/** Stores the rows that no later step of the batch reads: bodies, failed events and names. */
export async function storeBesides(client: ClickHouseClient, prepared: readonly Prepared[]): Promise<void> {
  const events = toEvents(prepared)
  const failed = prepared.filter((item) => item.outcome === 'failed')
  const names = new Map(events.flatMap((item) => item.names).map((row) => [JSON.stringify(row), row]))
  const bodies = events
    .map(({ record }) => record)
    .filter(({ body }) => body !== erasedBody)
    .map(({ eventId, body, receivedAt }) => ({ eventId, bodyBase64: toBase64(body), receivedAt }))
  const failedRows = failed.map(({ row, record }) => ({ ...row, bodyBase64: toBase64(record.body) }))
  await inParallel(
    insertRows(client, 'event_bodies', bodies),
    insertRows(client, 'failed_event_rows', failedRows),
    insertRows(client, 'names', [...names.values()]),
  )
}

export function toObservations(prepared: readonly Prepared[]): DeliveredObservation[] {
  return toEvents(prepared).flatMap(({ observation }) => (observation === undefined ? [] : [observation]))
}

function toEvents(prepared: readonly Prepared[]): PreparedEvent[] {
  return prepared.filter((item) => item.outcome === 'event')
}

function toObservationRow(observation: DeliveredObservation): Record<string, unknown> {
  const { isNumericId: idIsNumber, teams, managers, directReports, attributes, ...scalars } = observation
  const has = {
    hasTeams: teams !== undefined,
    hasManagers: managers !== undefined,
    hasDirectReports: directReports !== undefined,
    hasAttributes: attributes !== undefined,
  }
  const lists = { teams: teams ?? [], managers: managers ?? [], directReports: directReports ?? [] }
  return { ...scalars, idIsNumber, ...has, ...lists, attributes: JSON.parse(attributes ?? '{}') }
}

/** How bodies are inserted, so that any byte survives. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Keeps that a delivery came again, for the person who has its receipt. `repeated`: offsets. */
export async function storeRepeats(
  client: ClickHouseClient,
  partition: number,
  prepared: readonly Prepared[],
  repeated: ReadonlySet<number>,
): Promise<void> {
  const again = prepared.map(({ record }) => record).filter(({ offset }) => repeated.has(offset))
  const rows = again.map((record) => toDeliveryColumns(record, partition))
  await insertRows(client, 'repeat_rows', rows)
}
