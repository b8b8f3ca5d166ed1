/**
 * A second look at what was in progress when a partition changed hands. The former owner may have been stopped between
 * its check and its insert, or have had one on its way. It then arrives after the next owner has looked, and an image
 * exists twice. The next owner starts with the same records; after a time in which every such insert has arrived or
 * failed, it folds their keys again and removes the surplus.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import type { PositionedRecord } from '../../event-log/event-log.ts'
import type { Consumer } from '../../consumer/consumer.ts'
import type { StoreHandler } from '../../consumer/generations.ts'
import { toAssignmentKey } from '../../../schemas/webhook/assignment-key.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { storeAssignments } from '../../consumer/store/store-assignments.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { sql } from '../statements.ts'

export type SecondLookOptions = {
  client: ClickHouseClient
  /** The consumer's own. */
  people: People
  /** Whether this process owns a partition now. */
  isOurs: (partition: number) => boolean
  /**
   * Delay after the start in a partition. Longer than a request to the store may take, and than a session of the group.
   */
  afterMs: number
  /** The maximum of a batch: no more can have been in progress. */
  maxRecords: number
  /** Called after every look: how many keys, and how many rows of positions belonged to another owner. */
  onLooked?: (look: { partition: number; assignments: number; people: number; positions: number }) => void
  /** Epoch ms; default the machine's clock. */
  now?: () => number
  /** Ms of a clock that only goes forward. Default `performance.now`. */
  elapsed?: () => number
}

type Watch = {
  partition: number
  dueAt: number
  /** How many more records may have been in progress. */
  recordsLeft: number
  /** What the first records touch: log keys, each with the time of its earliest event. */
  touched: Map<string, number>
  users: Set<string>
  /** Where this owner began to read, and what it has recorded since, without gaps. */
  from: number
  own: { first: number; next: number }[]
}

export function withSecondLook(consumer: Consumer, options: SecondLookOptions): StoreHandler {
  const { client, people, isOurs, afterMs, maxRecords, onLooked } = options
  const { now = Date.now, elapsed = () => performance.now() } = options
  /** Each start in a partition until it is due, also after the partition moved on. */
  const watches: Watch[] = []
  const latest = new Map<number, Watch>()

  return {
    async resumeFrom(partition, from) {
      const position = await consumer.resumeFrom(partition, from)
      // A failure on the way to the store is treated alike: the request may still arrive.
      const watch: Watch = {
        partition,
        dueAt: elapsed() + afterMs,
        recordsLeft: maxRecords,
        touched: new Map(),
        users: new Set(),
        from: position,
        own: [],
      }
      watches.push(watch)
      latest.set(partition, watch)
      return position
    },

    async handle(batch) {
      const { partition, records } = batch
      const watch = latest.get(partition)
      if (watch !== undefined) note(watch, records)
      await consumer.handle(batch)
      // The former owner may be the one with the surplus position.
      if (batch.isStale()) return
      watch?.own.push(...consumer.lastParts())
      await lookAtDue()
    },

    async caughtUp(partition, nextOffset, asOf) {
      await consumer.caughtUp(partition, nextOffset, asOf)
      await lookAtDue()
    },
  }

  async function lookAtDue(): Promise<void> {
    for (let watch = watches[0]; watch !== undefined && watch.dueAt <= elapsed(); watch = watches[0]) {
      await look(watch)
      watches.shift()
      if (latest.get(watch.partition) === watch) latest.delete(watch.partition)
    }
  }

  async function look(watch: Watch): Promise<void> {
    const { partition, touched, users } = watch
    await consumer.exclusively(async () => {
      // The present owner may work on the same keys: two at once would create the surplus that this removes. The audit
      // remains.
      if (isOurs(partition)) {
        await storeAssignments(client, touched, () => Promise.resolve())
        await people.mend([...users])
      }
      const positions = await emptyForeignPositions(watch)
      onLooked?.({ partition, assignments: touched.size, people: users.size, positions })
    })
  }

  /** Records stored by two owners would be in the ledger twice: the other's rows are cancelled. */
  async function emptyForeignPositions({ partition, from, own }: Watch): Promise<number> {
    const through = own.at(-1)?.next
    if (through === undefined) return 0
    const rows = await selectRows<{ first: number; next: number }>(client, sql('positions-between'), {
      partition,
      from,
      through,
    })
    const isOwn = new Set(own.map(({ first, next }) => `${first} ${next}`))
    const foreign = rows.filter(({ first, next }) => !isOwn.has(`${first} ${next}`))
    await insertRows(
      client,
      'log_positions',
      foreign.map(({ first, next }) => ({
        log_partition: partition,
        first_offset: first,
        next_offset: next,
        recorded_at: now(),
        complete_through: 0,
        ledger: [],
      })),
    )
    return foreign.length
  }
}

function note(watch: Watch, records: readonly PositionedRecord[]): void {
  for (const { body, eventId } of records.slice(0, watch.recordsLeft)) {
    const delivery = parseDelivery(body)
    if (delivery.outcome === 'failed') continue
    const { assignment, timestamp, wire } = delivery.event
    const assignmentKey = toAssignmentKey(assignment?.id ?? eventId)
    watch.touched.set(assignmentKey, Math.min(timestamp, watch.touched.get(assignmentKey) ?? timestamp))
    if (wire.user?.id) watch.users.add(wire.user.id)
  }
  watch.recordsLeft = Math.max(0, watch.recordsLeft - records.length)
}
