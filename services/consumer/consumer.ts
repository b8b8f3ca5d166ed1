/**
 * The consumer stores the rows of a batch, and its position last of all. Nothing is skipped before its position is
 * recorded, so a crash anywhere loses and doubles nothing. A batch of which the store refuses something is recorded in parts.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LogBatch, PositionedRecord } from '../event-log/event-log.ts'
import { toLedger, toReport, type BatchReport } from './batch-report.ts'
import { offsetsPerGeneration, type StoreHandler } from './generations.ts'
import type { Prepared } from './rows.ts'
import { createDeliveryStore, type RefusedDelivery } from './store-deliveries.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { readStoreClock } from '../clickhouse/statements.ts'
import { createDriftSample } from './store/drift-sample.ts'
import { createPeople, type People } from './store/store-people.ts'
import { sourceName } from '../config/token.ts'
import { createTurns } from '../runtime/turns.ts'
import { inParallel } from './in-parallel.ts'
import { execute, select } from './statements.ts'
import { storeRepeats } from './store/store-events.ts'

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
  /** Called when readers can see more: deliveries, or that none arrived. */
  onPosition?: (() => void) | undefined
  /** Told of each delivery that the store refuses, and that is kept as a failed event. */
  onSetAside?: (refused: RefusedDelivery) => void
  /** Epoch ms; default the machine's clock. */
  now?: () => number
}

/** How often "nothing arrived" is recorded: the freshest `complete_through` can lag by this much. */
const idleRecordIntervalMs = 5_000

/** More than clocks of two machines usually differ by. */
const laterTimeMs = 60_000

/** Thrown inside a batch whose partition has gone to another consumer. Harmless: that one begins where this one stopped. */
export class PartitionLostError extends Error {
  override readonly name = 'PartitionLostError'
  readonly code = 'PARTITION_LOST'
}

export function createConsumer({
  client,
  people = createPeople(client),
  onStored,
  onPosition,
  onSetAside,
  now = Date.now,
}: ConsumerOptions): Consumer {
  const idleSince = new Map<number, number>()
  /** Partitions in which no later time stands at the position since the start. */
  const checked = new Set<number>()
  const inTurn = createTurns()
  const drift = createDriftSample(client, now)
  const storeDeliveries = createDeliveryStore({ client, people, onSetAside })

  return {
    async resumeFrom(partition, from = 0) {
      people.forget()
      idleSince.delete(partition)
      checked.delete(partition)
      const below = from + offsetsPerGeneration
      const [row] = await select<{ next: number }>(client, 'position', { partition, from, below })
      return Math.max(row?.next ?? 0, from)
    },

    handle: (batch) =>
      inTurn(async () => {
        const { partition } = batch
        const records = batch.records.map(withKnownSource)
        let startedAt = performance.now()
        let first = records[0]?.offset ?? 0
        await storeDeliveries({
          partition,
          records,
          checkOwnership: () => checkStillOurs(batch),
          async finish(prepared, repeated) {
            const last = prepared.at(-1)?.record
            if (last === undefined) return
            const next = last.offset + 1
            // Records acknowledged before the last one was received precede it in the log.
            const ledger = toLedger(prepared, repeated)
            const skipped = next - first - prepared.length
            const end = last.offset === records.at(-1)?.offset ? batch.caughtUp : undefined
            const [, , endedAt] = await inParallel(
              storeRepeats(client, partition, prepared, repeated),
              drift.look(prepared),
              end === undefined ? Promise.resolve(0) : toThrough(end.asOf, end.tick),
            )
            const receivedThrough = Math.min(last.receivedAt, batch.partitionsKnownAt ?? last.receivedAt)
            const place = { first, next, skipped }
            await recordPosition(partition, place, Math.max(receivedThrough, endedAt), ledger)
            if (end === undefined) idleSince.delete(partition)
            else idleSince.set(partition, end.asOf)
            onStored?.(toReport(partition, prepared, repeated, performance.now() - startedAt))
            first = next
            startedAt = performance.now()
          },
        })
      }),

    restore: (partition, records) =>
      inTurn(async () => {
        const startedAt = performance.now()
        const all: Prepared[] = []
        const again = new Set<number>()
        await storeDeliveries({
          partition,
          records: records.map(withKnownSource),
          checkOwnership: () => Promise.resolve(),
          permanentIds: await readStoredIds(records),
          async finish(prepared, repeated) {
            all.push(...prepared)
            for (const offset of repeated) again.add(offset)
          },
        })
        return toReport(partition, all, again, performance.now() - startedAt)
      }),

    exclusively: inTurn,

    async caughtUp(partition, nextOffset, asOf, tick = performance.now()) {
      const last = idleSince.get(partition)
      // A clock that was set back must not silence this until it is there again.
      if (last !== undefined && Math.abs(asOf - last) < idleRecordIntervalMs) return
      // At the start, and where the clock went back: rows recorded with a later time would stand against the next ones.
      if (!checked.has(partition) || (last !== undefined && asOf < last)) {
        await forgetLaterTimes(partition, nextOffset, asOf, checked.has(partition) ? 0 : laterTimeMs)
        checked.add(partition)
      }
      const at = { first: nextOffset, next: nextOffset, skipped: 0 }
      await recordPosition(partition, at, await toThrough(asOf, tick), [])
      idleSince.set(partition, asOf)
    },
  }

  /**
   * A moment by the store's clock, or `asOf` where that is earlier. Readers judge by their clock how far the store is complete: a
   * consumer whose clock is hours ahead would otherwise record moments that count hours later only.
   */
  async function toThrough(asOf: number, tick: number): Promise<number> {
    const now = await readStoreClock(client)
    return Math.min(asOf, Math.floor(now - Math.max(0, performance.now() - tick)))
  }

  /**
   * Takes away the records of "nothing arrived" that a clock set forward has made: of two such rows the store keeps the later
   * one. They hold no deliveries.
   */
  async function forgetLaterTimes(partition: number, next: number, asOf: number, marginMs: number): Promise<void> {
    const later = { partition, next, now: now() + marginMs, as_of: asOf + marginMs }
    const [row] = await select<{ rows: number }>(client, 'later-times', later)
    if (row !== undefined && row.rows > 0) await execute(client, 'forget-later-times', later)
  }

  async function readStoredIds(records: readonly PositionedRecord[]): Promise<Set<string>> {
    const ids = [...new Set(records.map(({ eventId }) => eventId))]
    const rows = await select<{ eventId: string }>(client, 'stored-ids', { ids })
    return new Set(rows.map(({ eventId }) => eventId))
  }

  async function recordPosition(
    partition: number,
    { first, next, skipped }: { first: number; next: number; skipped: number },
    completeThroughMs: number,
    ledger: unknown[],
  ): Promise<void> {
    const row = {
      log_partition: partition,
      first_offset: first,
      next_offset: next,
      skipped,
      recorded_at: now(),
      complete_through: completeThroughMs,
      ledger,
    }
    await insertRows(client, 'log_positions', [row])
    onPosition?.()
  }
}

/** A source is the name of a token: the ledger has words of its own for deliveries that are lost or wait. */
function withKnownSource(record: PositionedRecord): PositionedRecord {
  return sourceName.test(record.source) ? record : { ...record, source: 'unknown' }
}

async function checkStillOurs(batch: LogBatch): Promise<void> {
  await batch.heartbeat()
  if (batch.isStale()) throw new PartitionLostError(`Partition ${batch.partition} has gone to another consumer`)
}
