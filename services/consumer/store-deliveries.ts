/**
 * Storing deliveries: events first, then what follows from them. What does not follow from one another is done side by side, so
 * that the engine works while the next rows are made. Each step can be done again without harm. What the store refuses is
 * set aside, part by part.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { toFailure, type Failure } from '../clickhouse/errors/failure.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { readErasedPeople } from '../erasure/erased-people.ts'
import { toGeneration } from './generations.ts'
import { movedPartition } from './moved-partition.ts'
import { prepareRecord, type DeliveredObservation, type Prepared } from './rows.ts'
import { createControls, isLike, type Control } from './set-aside/controls.ts'
import { setAside, toWords } from './set-aside/set-aside.ts'
import { storeInParts } from './set-aside/store-in-parts.ts'
import { storeAssignments, type StoredDelivery } from './store/store-assignments.ts'
import { storeBesides, storeEventRows, storeObservations, toObservations } from './store/store-events.ts'
import type { People } from './store/store-people.ts'
import { inParallel } from './in-parallel.ts'
import { selectRows } from '../clickhouse/statements.ts'
import { sql } from './statements.ts'

export type StoreDeliveriesOptions = {
  client: ClickHouseClient
  people: People
  onSetAside?: ((refused: RefusedDelivery) => void) | undefined
}

/** A delivery that was set aside. `reason` is without anything of the delivery. */
export type RefusedDelivery = {
  partition: number
  offset: number
  eventId: string
  reason: string
  isTakenBack: boolean
}

export type Deliveries = {
  partition: number
  records: readonly PositionedRecord[]
  /** Called between steps; throws where another consumer owns these deliveries by now. */
  checkOwnership(): Promise<void>
  /** A part is stored, or set aside; parts come in the order of the records. `repeated`: offsets of repeats. */
  finish(prepared: readonly Prepared[], repeated: ReadonlySet<number>): Promise<void>
  /** Event ids that were stored before: never taken back. */
  kept?: ReadonlySet<string>
}

/** How many others of a batch are tried where an error may be anyone's fault. */
const maxControls = 8

export function createDeliveryStore({ client, people, onSetAside }: StoreDeliveriesOptions) {
  const controls = createControls()

  return async function storeDeliveries(deliveries: Deliveries): Promise<void> {
    const { partition, records, finish, kept } = deliveries
    const { checkOwnership, judge } = watchOwner(deliveries)

    await storeInParts(records, {
      judge,
      async store(part) {
        const { prepared, seen } = await attempt(partition, part, checkOwnership)
        await checkOwnership()
        const repeated = await findRepeated(partition, prepared, seen)
        await checkOwnership()
        await finish(prepared, repeated)
        controls.note(partition, prepared)
      },
      async isToBlame(record) {
        const prepared = await tryToPrepare(record, partition)
        for (const control of [...controls.like(prepared), ...toOthers(deliveries, record, prepared)]) {
          if (await isTaken(control)) return !(await isTaken({ partition, record }))
        }
        return false
      },
      async setAside(record, refusal) {
        await checkOwnership()
        const prepared = await tryToPrepare(record, partition)
        const isKept = prepared?.outcome === 'event' && kept?.has(record.eventId)
        const result = isKept
          ? ({ outcome: 'repeat' } as const)
          : await setAside({ client, people, record, partition, prepared, refusal, checkOwnership, judge })
        if (result.outcome === 'repeat') {
          return finish(prepared === undefined ? [] : [prepared], new Set([record.offset]))
        }
        const repeated = await findRepeated(partition, [result.prepared], [])
        await checkOwnership()
        await finish([result.prepared], repeated)
        const { offset, eventId } = record
        const { isTakenBack } = result
        onSetAside?.({ partition, offset, eventId, reason: toWords(refusal), isTakenBack })
      },
    })

    async function isTaken(control: Control): Promise<boolean> {
      try {
        await attempt(control.partition, [control.record], checkOwnership)
        return true
      } catch (error) {
        const failure = judge(error)
        if (failure === 'content' || failure === 'unclear') return false
        throw error
      }
    }
  }

  async function attempt(
    partition: number,
    records: readonly PositionedRecord[],
    checkOwnership: () => Promise<void>,
  ): Promise<{ prepared: Prepared[]; seen: readonly StoredDelivery[] }> {
    try {
      const erased = await readErasedPeople(client)
      const prepared = records.map((record) => prepareRecord(record, partition, erased))
      const [seen] = await inParallel(
        storeStates(prepared, checkOwnership),
        storePeople(toObservations(prepared), checkOwnership),
        storeBesides(client, prepared),
      )
      return { prepared, seen }
    } catch (error) {
      people.forget()
      throw error
    }
  }

  async function tryToPrepare(record: PositionedRecord, partition: number): Promise<Prepared | undefined> {
    const erased = await readErasedPeople(client)
    try {
      return prepareRecord(record, partition, erased)
    } catch {
      return undefined
    }
  }

  async function storeStates(
    prepared: readonly Prepared[],
    checkOwnership: () => Promise<void>,
  ): Promise<readonly StoredDelivery[]> {
    await storeEventRows(client, prepared)
    await checkOwnership()
    return storeAssignments(client, toTouched(prepared), checkOwnership)
  }

  async function storePeople(
    observations: readonly DeliveredObservation[],
    checkOwnership: () => Promise<void>,
  ): Promise<void> {
    await storeObservations(client, observations)
    await checkOwnership()
    await people.store(observations, checkOwnership)
  }

  /** Which deliveries of the batch bring an event that an earlier delivery has brought. */
  async function findRepeated(
    partition: number,
    prepared: readonly Prepared[],
    seen: readonly StoredDelivery[],
  ): Promise<Set<number>> {
    const failedIds = prepared.flatMap((item) => (item.outcome === 'failed' ? [String(item.row['event_id'])] : []))
    const failed =
      failedIds.length === 0
        ? []
        : await selectRows<StoredDelivery>(client, sql('failed-deliveries'), {
            ids: [...new Set(failedIds)],
          })
    const firstOffset = new Map<string, number>()
    const generation = toGeneration(prepared[0]?.record.offset ?? 0)
    for (const { eventId, partition: at, offset } of [...seen, ...failed]) {
      // An older log may have had other partitions.
      if (at === partition || toGeneration(offset) < generation) {
        firstOffset.set(eventId, Math.min(offset, firstOffset.get(eventId) ?? offset))
      }
      if (at === movedPartition) firstOffset.set(eventId, -1)
    }
    return new Set(
      prepared
        .map(({ record }) => record)
        .filter((record) => (firstOffset.get(record.eventId) ?? record.offset) < record.offset)
        .map((record) => record.offset),
    )
  }

  function toOthers(
    { partition, records }: Deliveries,
    record: PositionedRecord,
    prepared: Prepared | undefined,
  ): Control[] {
    const others: Control[] = []
    const stride = Math.max(1, Math.floor(records.length / (4 * maxControls)))
    for (let at = 0; at < records.length && others.length < maxControls; at += stride) {
      const other = records[at]
      if (other === undefined || other.eventId === record.eventId) continue
      if (canBeLike(other, prepared, partition)) others.push({ partition, record: other })
    }
    return others
  }
}

function canBeLike(other: PositionedRecord, prepared: Prepared | undefined, partition: number): boolean {
  try {
    return isLike(prepareRecord(other, partition), prepared)
  } catch {
    return false
  }
}

/** What `checkOwnership` throws is no judgement of the store, whatever it is: these deliveries are to be left alone. */
function watchOwner({ checkOwnership }: Deliveries): {
  checkOwnership: () => Promise<void>
  judge: (error: unknown) => Failure
} {
  let isLost = false
  return {
    async checkOwnership() {
      try {
        await checkOwnership()
      } catch (error) {
        isLost = true
        throw error
      }
    },
    judge: (error) => (isLost ? 'store' : toFailure(error)),
  }
}

/** The log keys of a batch's events, each with the time of its earliest one. */
function toTouched(prepared: readonly Prepared[]): Map<string, number> {
  const touched = new Map<string, number>()
  for (const item of prepared) {
    if (item.outcome === 'event') {
      touched.set(item.assignmentKey, Math.min(item.eventTimeMs, touched.get(item.assignmentKey) ?? item.eventTimeMs))
    }
  }
  return touched
}
