/**
 * The steps of a batch:
 *
 * 1. prepare: each record becomes the rows of an event, or of a failed event with its reasons
 * 2. store events, then fold the assignments that they touch
 *    store observations, then fold the people whom they are about
 *    store besides: bodies, failed events and names
 * 3. find repeats
 * 4. finish: record the report of the batch, and the position, last of all
 *
 * Each step can be repeated without harm. After any error the log delivers the whole batch again: the only retry of a step.
 * The second step runs three inserts in parallel, so the engine stays busy while we build rows.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { readErasedPeople } from './erased-people.ts'
import { inParallel } from './in-parallel.ts'
import { prepareRecord, type Prepared } from './rows.ts'
import { select } from './statements.ts'
import { storeAssignments, type StoredDelivery } from './store/store-assignments.ts'
import { storeBesides, storeEventRows, storeObservations, toObservations } from './store/store-events.ts'
import type { People } from './store/store-people.ts'

export type Batch = {
  partition: number
  /** Deliveries before it came by an earlier log. */
  logBegin: number
  records: readonly PositionedRecord[]
  /** Called between steps; throws a `PartitionLostError` where another consumer owns these deliveries by now. */
  checkOwnership(): Promise<void>
  /** `repeated`: offsets of repeats. Parts of a batch are finished in the order of their records. */
  finish(prepared: readonly Prepared[], repeated: ReadonlySet<number>): Promise<void>
}

export type StepsOptions = { client: ClickHouseClient; people: People }

/**
 * The partition number for imported rows, whose places are those of another log. No topic has this
 * number: nobody resumes there, and repeated deliveries are repeats of it.
 */
export const movedPartition = 4_294_967_295

export async function runSteps({ client, people }: StepsOptions, batch: Batch): Promise<void> {
  const { partition, records, checkOwnership, finish } = batch
  const erased = await readErasedPeople(client)
  const prepared = records.map((record) => prepareRecord(record, partition, erased, people.attributes))

  async function storeEventsAndFold() {
    await storeEventRows(client, prepared)
    await checkOwnership()
    return storeAssignments(client, toTouched(prepared), checkOwnership)
  }
  async function storePeople() {
    const observations = toObservations(prepared)
    await storeObservations(client, observations)
    await checkOwnership()
    await people.store(observations, checkOwnership)
  }
  const [stored] = await inParallel(storeEventsAndFold(), storePeople(), storeBesides(client, prepared))
  await checkOwnership()
  const repeated = await findRepeats(client, batch, prepared, stored)
  await checkOwnership()
  await finish(prepared, repeated)
}

/** The log keys of a batch's events, each with the time of its earliest one. */
function toTouched(prepared: readonly Prepared[]): Map<string, number> {
  const touched = new Map<string, number>()
  for (const item of prepared) {
    if (item.outcome === 'failed') continue
    const { assignmentKey, eventTimeMs } = item
    touched.set(assignmentKey, Math.min(eventTimeMs, touched.get(assignmentKey) ?? eventTimeMs))
  }
  return touched
}

/** Offsets of the deliveries that bring an event that an earlier delivery has brought. */
export async function findRepeats(
  client: ClickHouseClient,
  { partition, logBegin }: Pick<Batch, 'partition' | 'logBegin'>,
  prepared: readonly Prepared[],
  stored: readonly StoredDelivery[],
): Promise<Set<number>> {
  const failed = prepared.filter(({ outcome }) => outcome === 'failed')
  const ids = [...new Set(failed.map(({ row }) => String(row['eventId'])))]
  const failedBefore =
    ids.length === 0 ? [] : await select<StoredDelivery>(client, 'failed-deliveries', { ids })
  const firstOffset = new Map<string, number>()
  for (const { eventId, partition: at, offset } of [...stored, ...failedBefore]) {
    // An earlier log may have had other partitions.
    if (at === partition || offset < logBegin) {
      firstOffset.set(eventId, Math.min(offset, firstOffset.get(eventId) ?? offset))
    }
    if (at === movedPartition) firstOffset.set(eventId, -1)
  }
  const isRepeat = ({ eventId, offset }: PositionedRecord) => (firstOffset.get(eventId) ?? offset) < offset
  const again = prepared.filter(({ record }) => isRepeat(record))
  return new Set(again.map(({ record }) => record.offset))
}
