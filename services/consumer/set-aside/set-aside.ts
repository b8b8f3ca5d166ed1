/**
 * Sets aside a delivery that the store refuses: it becomes a failed event, and nothing else. Rows that an attempt has stored of it are
 * taken back, so that the tables are the same however it was batched and wherever a crash came between.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { isEventId, toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { toFailure } from '../../clickhouse/errors/failure.ts'
import { StoreError } from '../../clickhouse/errors/store-error.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import type { PositionedRecord } from '../../event-log/event-log.ts'
import { describeError } from '../../runtime/describe-error.ts'
import { type Batch, findRepeats, type StepsOptions } from '../batch-steps.ts'
import { readErasedPeople } from '../erased-people.ts'
import { prepareRecord, toDeliveryColumns, type Prepared, type PreparedEvent } from '../rows.ts'
import { execute, select } from '../statements.ts'
import { storeAssignments } from '../store/store-assignments.ts'
import { toBase64 } from '../store/store-events.ts'

/** `false`: an earlier delivery of the same bytes is stored. Nothing is kept or taken back, and this one is a repeat. */
export async function setAside(
  options: StepsOptions,
  batch: Batch,
  record: PositionedRecord,
  reason: string,
): Promise<boolean> {
  const { client } = options
  const { partition, checkOwnership, finish } = batch
  await checkOwnership()
  const prepared = await tryToPrepare(options, record, partition)
  const event = prepared?.outcome === 'event' ? prepared : undefined
  if (event !== undefined && (await isStoredBefore(client, event, partition))) {
    await finish([event], new Set([record.offset]))
    return false
  }
  const row = toRefusedRow(prepared?.record ?? record, partition, prepared, reason)
  await insertRows(client, 'failed_event_rows', [row])
  await checkOwnership()
  if (event !== undefined) await takeBack(options, batch, event)
  const failed = [{ outcome: 'failed' as const, record, row }]
  const repeated = await findRepeats(client, batch, failed, [])
  await checkOwnership()
  await finish(failed, repeated)
  return true
}

/** `undefined`: that fails, too. */
async function tryToPrepare(
  { client, people }: StepsOptions,
  record: PositionedRecord,
  partition: number,
): Promise<Prepared | undefined> {
  const erased = await readErasedPeople(client)
  try {
    return prepareRecord(record, partition, erased, people.attributes)
  } catch {
    return undefined
  }
}

/**
 * The last resort, which any store takes that takes anything: digits, words of ours and base64. Earlier words about the
 * delivery that could be odd are left out.
 */
function toRefusedRow(
  record: PositionedRecord,
  partition: number,
  prepared: Prepared | undefined,
  reason: string,
): Record<string, unknown> {
  const reasons = prepared?.outcome === 'failed' ? (prepared.row['reasons'] as string[]) : []
  return {
    ...toDeliveryColumns(record, partition),
    eventId: isEventId(record.eventId) ? record.eventId : toEventId(record.body),
    source: record.source.replaceAll(/[^\x20-\x7e]/g, '?'),
    reasons: [...reasons, 'not_storable'],
    problems: [`The store refuses what it becomes: ${reason}.`],
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
  { client, people }: StepsOptions,
  { partition, checkOwnership }: Batch,
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
