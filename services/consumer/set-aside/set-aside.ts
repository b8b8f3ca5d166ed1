/**
 * Sets aside a delivery that the store refuses: it becomes a failed event, and nothing else. Rows that an attempt has stored of it are
 * taken back, so that the tables are the same however it was batched and wherever a crash came between.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { isEventId, toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { toFailure } from '../../clickhouse/errors/failure.ts'
import { StoreError } from '../../clickhouse/errors/store-error.ts'
import type { PositionedRecord } from '../../event-log/event-log.ts'
import { describeError } from '../../runtime/describe-error.ts'
import { toDeliveryColumns, type Prepared, type PreparedEvent } from '../rows.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toBase64 } from '../store/store-events.ts'
import { storeAssignments } from '../store/store-assignments.ts'
import type { People } from '../store/store-people.ts'
import { execute, select } from '../statements.ts'

export type SetAside = {
  client: ClickHouseClient
  people: People
  record: PositionedRecord
  partition: number
  /** The delivery as it was prepared; `undefined` where that failed, too. */
  prepared: Prepared | undefined
  /** The error of the store. */
  refusal: unknown
  checkOwnership: () => Promise<void>
}

/** The failed event. `undefined`: an earlier delivery of the same bytes is stored; nothing is kept or taken back. */
export async function setAside(
  options: SetAside,
): Promise<Extract<Prepared, { outcome: 'failed' }> | undefined> {
  const { client, record, partition, prepared, refusal, checkOwnership } = options
  const event = prepared?.outcome === 'event' ? prepared : undefined
  if (event !== undefined && (await isStoredBefore(client, event, partition))) return undefined
  const row = toRefusedRow(prepared?.record ?? record, partition, prepared, refusal)
  await insertRows(client, 'failed_event_rows', [row])
  await checkOwnership()
  if (event !== undefined) await takeBack(options, event)
  return { outcome: 'failed', record, row }
}

/**
 * The last resort, which any store takes that takes anything: digits, words of ours and base64. Earlier words about the
 * delivery that could be odd are left out.
 */
function toRefusedRow(
  record: PositionedRecord,
  partition: number,
  prepared: Prepared | undefined,
  refusal: unknown,
): Record<string, unknown> {
  const reasons = prepared?.outcome === 'failed' ? (prepared.row['reasons'] as string[]) : []
  return {
    ...toDeliveryColumns(record, partition),
    eventId: isEventId(record.eventId) ? record.eventId : toEventId(record.body),
    source: record.source.replaceAll(/[^\x20-\x7e]/g, '?'),
    reasons: [...reasons, 'not_storable'],
    problems: [`The store refuses what it becomes: ${toWords(refusal)}.`],
    body_base64: toBase64(record.body),
  }
}

/** A message of the store holds nothing of the delivery. Of any other error only the type is sure not to. */
export function toWords(refusal: unknown): string {
  return refusal instanceof StoreError ? refusal.message : describeError(refusal).type
}

async function isStoredBefore(
  client: ClickHouseClient,
  event: PreparedEvent,
  partition: number,
): Promise<boolean> {
  const { offset, eventId } = event.record
  const params = { akey: event.assignmentKey, id: eventId, partition, offset }
  return (await select(client, 'stored-before', params)).length > 0
}

/** Where the store refuses that, too, something of it stays in the tables until the audit looks. */
async function takeBack(
  { client, people, partition, checkOwnership }: SetAside,
  { record, assignmentKey, eventTimeMs, observation }: PreparedEvent,
): Promise<void> {
  const { eventId: id, offset } = record
  const user = observation?.userId ?? ''
  const params = { akey: assignmentKey, id, partition, offset, user }
  try {
    const [counts] = await select<Counts>(client, 'stored-of-it', params)
    if (counts?.bodies) await execute(client, 'forget-body', params)
    if (counts?.events) {
      await execute(client, 'forget-event', params)
      await checkOwnership()
      await storeAssignments(client, new Map([[assignmentKey, eventTimeMs]]), checkOwnership)
    }
    if (observation !== undefined && counts?.observations) {
      await execute(client, 'forget-observation', params)
      await checkOwnership()
      const { managers = [], directReports = [] } = observation
      await people.mend([...new Set([user, ...managers, ...directReports])])
    }
  } catch (error) {
    if (!['content', 'unclear'].includes(toFailure(error))) throw error
  }
}

type Counts = { events: number; bodies: number; observations: number }
