/**
 * A log that is read again below the store's position: an older copy of it, or another one in its place. What the ledger has of it from an
 * earlier reading is not counted again.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PositionedRecord } from '../event-log/event-log.ts'
import { select } from './statements.ts'

export type ReadAgain = {
  isCounted(record: PositionedRecord): boolean
  /** What stands in the ledger for these offsets: a row that is recorded for them would take its place. */
  readLedgerAt(first: number, next: number): Promise<unknown[]>
  /** The ledger has them from now on. */
  recorded(records: readonly PositionedRecord[]): void
}

export function createReadAgain(client: ClickHouseClient) {
  const resumedAt = new Map<number, number>()
  /**
   * By partition: those of no earlier reading, until the ledger has them. A try that stores them may fail before it counts them, and the
   * next one resumes.
   */
  const uncounted = new Map<number, Set<string>>()

  return {
    resumed(partition: number, next: number): void {
      resumedAt.set(partition, next)
      if (!uncounted.has(partition)) uncounted.set(partition, new Set())
    },

    /** `undefined`: none of these is below. */
    async look(partition: number, records: readonly PositionedRecord[]): Promise<ReadAgain | undefined> {
      const below = records.filter(({ offset }) => offset < (resumedAt.get(partition) ?? 0))
      if (below.length === 0) return undefined
      const [ids, offsets] = [below.map(({ eventId }) => eventId), below.map(({ offset }) => offset)]
      const rows = await select<{ name: string }>(client, 'counted-deliveries', { partition, ids, offsets })
      const isNew = uncounted.get(partition) ?? new Set()
      const counted = new Set(rows.map(({ name }) => name).filter((name) => !isNew.has(name)))
      for (const name of below.map(toName)) if (!counted.has(name)) isNew.add(name)
      return {
        isCounted: (record) => counted.has(toName(record)),
        async readLedgerAt(first, next) {
          const [row] = await select<{ ledger: unknown[] }>(client, 'ledger-at', { partition, first, next })
          return row?.ledger ?? []
        },
        recorded(stored) {
          for (const record of stored) isNew.delete(toName(record))
        },
      }
    },
  }
}

/** As the statement `counted-deliveries` names them. */
function toName({ eventId, offset }: PositionedRecord): string {
  return `${eventId} ${offset}`
}
