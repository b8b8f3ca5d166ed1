/**
 * The consumer stores the rows of a batch, and its position last of all. Nothing is skipped before its position is
 * recorded, so a crash anywhere loses and doubles nothing. A batch of which the store refuses something is recorded in parts.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { BatchHandler, LogBatch, PositionedRecord } from '../event-log/event-log.ts'
import { toLedger, toReport, type BatchReport } from './batch-report.ts'
import { createDeliveryStore, type RefusedDelivery } from './store-deliveries.ts'
import { checkLog, recordBegin, type StoreLog } from './store-log.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { toLaterTime } from '../clickhouse/statements.ts'
import { createDriftSample } from './store/drift-sample.ts'
import { createPeople, type People } from './store/store-people.ts'
import { sourceName } from '../config/token.ts'
import { createTurns } from '../runtime/turns.ts'
import { inParallel } from './in-parallel.ts'
import { select } from './statements.ts'
import { storeRepeats } from './store/store-events.ts'

export type Consumer = Omit<Required<BatchHandler>, 'resumeFrom'> & {
  /** `logId`: default the log that it reads already. */
  resumeFrom(partition: number, logId?: string): Promise<number>
  /** Runs a function while no batch is in progress; the next batch waits. */
  exclusively<Result>(use: () => Promise<Result>): Promise<Result>
}

export type ConsumerOptions = {
  client: ClickHouseClient
  /** Stores people one after another; pass it where pulls share it. Default: the consumer's own. */
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
  /** Until it is known, which tests leave out, a log without an id. */
  let log: StoreLog = { id: '', begin: 0 }
  const idleSince = new Map<number, number>()
  /** By partition, the last time at which a position was recorded: none is recorded earlier. */
  const recordedAt = new Map<number, number>()
  const inTurn = createTurns()
  const sampleDrift = createDriftSample(client)
  const storeDeliveries = createDeliveryStore({ client, people, onSetAside })

  /** At their places in the store. */
  const toPlaces = (records: readonly PositionedRecord[]) =>
    records.map((record) => ({ ...withKnownSource(record), offset: log.begin + record.offset }))

  return {
    async resumeFrom(partition, logId) {
      if (logId !== undefined) log = await checkLog(client, logId)
      idleSince.delete(partition)
      const params = { partition, begin: log.begin }
      const [row] = await select<{ next: number; recordedAt: number }>(client, 'position', params)
      recordedAt.set(partition, row?.recordedAt ?? 0)
      return Math.max(row?.next ?? 0, log.begin) - log.begin
    },

    async counted(partitions, logId) {
      log = await checkLog(client, logId)
      const rows = await select<{ partition: number }>(client, 'partitions-of-log', { begin: log.begin })
      const fresh = new Set(Array(partitions).keys())
      for (const { partition } of rows) fresh.delete(partition)
      await recordBegin(client, log, [...fresh])
    },

    handle: (batch) =>
      inTurn(async () => {
        const { partition } = batch
        const records = toPlaces(batch.records)
        const end = log.begin + batch.next
        let startedAt = performance.now()
        let first = log.begin + batch.from
        if (records.length === 0) {
          await checkStillOurs(batch)
          return recordPosition(partition, { first, next: end, skipped: end - first }, 0, [])
        }
        await storeDeliveries({
          partition,
          logBegin: log.begin,
          records,
          checkOwnership: () => checkStillOurs(batch),
          async finish(prepared, repeated) {
            const last = prepared.at(-1)?.record
            if (last === undefined) return
            const isEnd = last.offset === records.at(-1)?.offset
            const next = isEnd ? end : last.offset + 1
            const caughtUp = isEnd ? batch.caughtUp : undefined
            const skipped = next - first - prepared.length
            await inParallel(storeRepeats(client, partition, prepared, repeated), sampleDrift(prepared))
            // Records acknowledged before the last one was received precede it in the log.
            const through = Math.max(last.receivedAt, caughtUp ?? 0)
            const ledger = toLedger(prepared, repeated)
            await checkStillOurs(batch)
            await recordPosition(partition, { first, next, skipped }, through, ledger)
            if (caughtUp === undefined) idleSince.delete(partition)
            else idleSince.set(partition, caughtUp)
            onStored?.(toReport(partition, prepared, repeated, performance.now() - startedAt))
            first = next
            startedAt = performance.now()
          },
        })
      }),

    exclusively: inTurn,

    async caughtUp(partition, nextOffset, asOf) {
      if (asOf - (idleSince.get(partition) ?? -Infinity) < idleRecordIntervalMs) return
      const next = log.begin + nextOffset
      await recordPosition(partition, { first: next, next, skipped: 0 }, asOf, [])
      idleSince.set(partition, asOf)
    },
  }

  async function recordPosition(
    partition: number,
    { first, next, skipped }: { first: number; next: number; skipped: number },
    through: number,
    ledger: unknown[],
  ): Promise<void> {
    const recorded_at = toLaterTime(now(), recordedAt.get(partition))
    const place = { log_partition: partition, first_offset: first, next_offset: next, skipped }
    const row = { ...place, recorded_at, through, ledger, log_id: log.id, log_begin: log.begin }
    await insertRows(client, 'log_positions', [row])
    recordedAt.set(partition, recorded_at)
    onPosition?.()
  }
}

/** A source is the name of a token: the ledger has words of its own for deliveries that are lost or wait. */
function withKnownSource(record: PositionedRecord): PositionedRecord {
  return sourceName.test(record.source) ? record : { ...record, source: 'unknown' }
}

async function checkStillOurs(batch: LogBatch): Promise<void> {
  await batch.heartbeat()
  if (batch.isStale())
    throw new PartitionLostError(`Partition ${batch.partition} has gone to another consumer`)
}
