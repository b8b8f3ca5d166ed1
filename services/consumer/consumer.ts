/**
 * How the consumer handles a batch: events first, then what follows from them, the position last. Independent steps run
 * in parallel, so the engine works while the next rows are made. Each step can be repeated safely, and nothing is skipped
 * before its position is recorded, so a crash anywhere loses and doubles nothing.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LogBatch, PositionedRecord } from '../event-log/event-log.ts'
import { readErasedPeople } from './erasure/erased-people.ts'
import { offsetsPerGeneration, toGeneration, type StoreHandler } from './generations.ts'
import { movedPartition } from './moved-partition.ts'
import { prepareRecord, type DeliveredObservation, type Prepared } from './rows.ts'
import { insertRows } from './store/insert-rows.ts'
import { selectRows } from './store/sql.ts'
import { storeAssignments, type StoredDelivery } from './store/store-assignments.ts'
import { storeBesides, storeEventRows, storeObservations, toObservations } from './store/store-events.ts'
import { createPeople, type People } from './store/store-people.ts'
import { createTurns, inParallel } from './in-parallel.ts'

/** A stored batch, for telemetry. */
export type BatchReport = {
  partition: number
  records: number
  stored: number
  duplicates: number
  failed: number
  /** Fields that did not fit the specification, with the number of events. */
  drift: Map<string, number>
  durationMs: number
}

export type Consumer = StoreHandler & {
  /**
   * Stores records again, without a position: restores rows that the store lost, or that a newer parser reads. Each must
   * be at its place in the log.
   */
  restore(partition: number, records: readonly PositionedRecord[]): Promise<BatchReport>
  /** Runs a function while no batch is in progress; the next batch waits. */
  exclusively<Result>(use: () => Promise<Result>): Promise<Result>
}

export type ConsumerOptions = {
  client: ClickHouseClient
  /** The cache of people; pass it where pulls share it. Default: the consumer's own. */
  people?: People
  onStored?: (report: BatchReport) => void
  /** Epoch ms; default the machine's clock. */
  now?: () => number
}

/** How often "nothing arrived" is recorded: the freshest `complete_through` can lag by this much. */
const idleRecordIntervalMs = 5_000

const hourMs = 3_600_000

/**
 * Thrown inside a batch whose partition has moved to another consumer. Harmless: the new owner begins where this one
 * stopped.
 */
export class PartitionLostError extends Error {
  override readonly name = 'PartitionLostError'
  readonly code = 'PARTITION_LOST'
}

export function createConsumer({
  client,
  people = createPeople(client),
  onStored,
  now = Date.now,
}: ConsumerOptions): Consumer {
  const idleSince = new Map<number, number>()
  const inTurn = createTurns()

  return {
    async resumeFrom(partition, from = 0) {
      people.forget()
      idleSince.delete(partition)
      const below = from + offsetsPerGeneration
      const [row] = await selectRows<{ next: number }>(client, 'position', { partition, from, below })
      return Math.max(row?.next ?? 0, from)
    },

    handle: (batch) =>
      inTurn(async () => {
        const startedAt = now()
        const checkOwnership = () => checkStillOurs(batch)
        const { prepared, seen } = await store(batch.partition, batch.records, checkOwnership)
        await checkOwnership()
        const repeated = await findRepeated(batch.partition, prepared, seen)
        await checkOwnership()
        await recordBatch(batch, prepared, repeated)
        idleSince.delete(batch.partition)
        onStored?.(toReport(batch.partition, prepared, repeated, now() - startedAt))
      }),

    restore: (partition, records) =>
      inTurn(async () => {
        const startedAt = now()
        const { prepared, seen } = await store(partition, records, () => Promise.resolve())
        const repeated = await findRepeated(partition, prepared, seen)
        return toReport(partition, prepared, repeated, now() - startedAt)
      }),

    exclusively: inTurn,

    async caughtUp(partition, nextOffset, asOf) {
      const last = idleSince.get(partition)
      if (last !== undefined && asOf - last < idleRecordIntervalMs) return
      await recordPosition(partition, nextOffset, nextOffset, asOf, [])
      idleSince.set(partition, asOf)
    },
  }

  async function store(
    partition: number,
    records: readonly PositionedRecord[],
    checkOwnership: () => Promise<void>,
  ): Promise<{ prepared: Prepared[]; seen: readonly StoredDelivery[] }> {
    const erased = await readErasedPeople(client)
    const prepared = records.map((record) => prepareRecord(record, partition, erased))
    const [seen] = await inParallel(
      storeStates(prepared, checkOwnership),
      storePeople(toObservations(prepared), checkOwnership),
      storeBesides(client, prepared),
    )
    return { prepared, seen }
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

  /** The deliveries of the batch that repeat an event of an earlier delivery. */
  async function findRepeated(
    partition: number,
    prepared: readonly Prepared[],
    seen: readonly StoredDelivery[],
  ): Promise<Set<number>> {
    const failedIds = prepared.flatMap((item) => (item.outcome === 'failed' ? [item.record.eventId] : []))
    const failed =
      failedIds.length === 0
        ? []
        : await selectRows<StoredDelivery>(client, 'failed-deliveries', {
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

  async function recordBatch(
    batch: LogBatch,
    prepared: readonly Prepared[],
    repeated: ReadonlySet<number>,
  ): Promise<void> {
    const first = batch.records[0]
    const last = batch.records.at(-1)
    if (first === undefined || last === undefined) return
    // Records acknowledged before the last one was received precede it in the log.
    const ledger = [...toLedger(prepared, repeated), ...toLostEntry(batch.lost ?? 0, first.receivedAt)]
    await recordPosition(batch.partition, first.offset, last.offset + 1, last.receivedAt, ledger)
  }

  async function recordPosition(
    partition: number,
    firstOffset: number,
    nextOffset: number,
    completeThroughMs: number,
    ledger: unknown[],
  ): Promise<void> {
    const row = {
      log_partition: partition,
      first_offset: firstOffset,
      next_offset: nextOffset,
      recorded_at: now(),
      complete_through: completeThroughMs,
      ledger,
    }
    await insertRows(client, 'log_positions', [row])
  }
}

async function checkStillOurs(batch: LogBatch): Promise<void> {
  await batch.heartbeat()
  if (batch.isStale()) throw new PartitionLostError(`Partition ${batch.partition} has gone to another consumer`)
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

type Outcome = 'stored' | 'duplicate' | 'failed'

function toOutcome(item: Prepared, repeated: ReadonlySet<number>): Outcome {
  if (repeated.has(item.record.offset)) return 'duplicate'
  return item.outcome === 'event' ? 'stored' : 'failed'
}

function countOutcome(items: readonly Prepared[], repeated: ReadonlySet<number>, outcome: Outcome): number {
  return items.filter((item) => toOutcome(item, repeated) === outcome).length
}

/** Deliveries per token name and hour of receipt. */
function toLedger(prepared: readonly Prepared[], repeated: ReadonlySet<number>): unknown[] {
  const bySource = Map.groupBy(prepared, ({ record }) => record.source)
  return [...bySource].flatMap(([source, delivered]) => {
    const byHour = Map.groupBy(delivered, ({ record }) => Math.floor(record.receivedAt / hourMs))
    return [...byHour].map(([hour, items]) => ({
      source,
      // A DateTime counts seconds.
      hour: (hour * hourMs) / 1000,
      acknowledged: items.length,
      stored: countOutcome(items, repeated, 'stored'),
      duplicate: countOutcome(items, repeated, 'duplicate'),
      failed: countOutcome(items, repeated, 'failed'),
    }))
  })
}

/** Of a name that no token can have: by which one they came, and when exactly, is lost as well. */
const lostSource = '(lost)'

/** Acknowledged, and nothing else: they are the ledger's difference. */
function toLostEntry(lost: number, nearMs: number): unknown[] {
  if (lost === 0) return []
  const hour = (Math.floor(nearMs / hourMs) * hourMs) / 1000
  return [{ source: lostSource, hour, acknowledged: lost, stored: 0, duplicate: 0, failed: 0 }]
}

function toReport(
  partition: number,
  prepared: readonly Prepared[],
  repeated: ReadonlySet<number>,
  durationMs: number,
): BatchReport {
  const drift = new Map<string, number>()
  for (const item of prepared) {
    if (item.outcome === 'event') for (const field of item.drift) drift.set(field, (drift.get(field) ?? 0) + 1)
  }
  return {
    partition,
    records: prepared.length,
    stored: countOutcome(prepared, repeated, 'stored'),
    duplicates: countOutcome(prepared, repeated, 'duplicate'),
    failed: countOutcome(prepared, repeated, 'failed'),
    drift,
    durationMs,
  }
}
