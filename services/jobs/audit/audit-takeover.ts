/**
 * Audits what was in progress when a partition changed hands. The former owner may have been stopped between its check and its
 * insert, or have had an insert on its way. Where that arrives after the next owner has folded the same keys, an image or a position
 * exists twice. So after a time in which every such insert has arrived or failed, these keys are folded once more.
 *
 * Where a topic has gained partitions, two owners may fold one assignment at once for as long as some writers know the former
 * number only. So what was stored meanwhile is audited in the same way, until no assignment has events in two partitions any more.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { StoreHandler } from '../../consumer/generations.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import { select } from '../statements.ts'
import type { Audit, Doubtful } from './audit.ts'

export type TakeoverOptions = {
  client: ClickHouseClient
  audit: Pick<Audit, 'refold'>
  isOurs: (partition: number) => boolean
  /** Delay after the start in a partition. Longer than a request to the store may take, and than a session of the group. */
  afterMs: number
  /**
   * Between the audits of one partition and the next. A topic that has gained partitions may have events of one assignment in two of
   * them, whose owners began at one moment; two audits at once would each remove the same surplus. Default 0.
   */
  apartMs?: number
  /** The maximum of a batch: no more can have been in progress. */
  maxRecords: number
  /** Called after every audit: how many keys, and how many rows of positions stood twice. */
  onAudited?: (result: { partition: number; assignments: number; people: number; positions: number }) => void
  elapsed?: () => number
}

/** A writer asks for the partitions of a topic every five minutes. */
const learnsWithinMs = 600_000

type Takeover = { partition: number; from: number; dueAt: number }

export function withTakeoverAudit(handler: StoreHandler, options: TakeoverOptions): StoreHandler {
  const { client, audit, isOurs, afterMs, apartMs = 0, maxRecords, onAudited } = options
  const { elapsed = () => performance.now() } = options
  const takeovers: Takeover[] = []
  /** By partition, the offset after the last one handled. */
  const positions = new Map<number, number>()

  function add(partition: number, from: number): void {
    takeovers.push({ partition, from, dueAt: elapsed() + afterMs + partition * apartMs })
    takeovers.sort((a, b) => a.dueAt - b.dueAt)
  }

  return {
    async resumeFrom(partition, from) {
      const position = await handler.resumeFrom(partition, from)
      positions.set(partition, position)
      // A failure on the way to the store is treated alike: the request may still arrive.
      add(partition, position)
      return position
    },
    async handle(batch) {
      await handler.handle(batch)
      const last = batch.records.at(-1)
      if (last !== undefined) positions.set(batch.partition, last.offset + 1)
      if (!batch.isStale()) await auditDue()
    },
    async caughtUp(...at) {
      await handler.caughtUp(...at)
      await auditDue()
    },
  }

  async function auditDue(): Promise<void> {
    for (let takeover = takeovers[0]; takeover !== undefined && takeover.dueAt <= elapsed(); takeover = takeovers[0]) {
      const { partition, from } = takeover
      const through = from + maxRecords
      const isSpread = await auditKeys(partition, { from, through })
      takeovers.shift()
      const next = Math.min(through, positions.get(partition) ?? from)
      // Where it was given to us again meanwhile, that audit has the next records.
      const isPlanned = takeovers.some((other) => other.partition === partition && other.from <= next)
      if (isSpread && next > from && !isPlanned) add(partition, next)
    }
  }

  /** Resolves to whether the rows stored next are to be audited as well. */
  async function auditKeys(partition: number, { from, through }: { from: number; through: number }): Promise<boolean> {
    let isSpread = false
    let keys: Doubtful = { assignments: [], people: [] }
    // Where the partition has gone on, its owner audits: two at once would create the surplus that this removes.
    if (isOurs(partition)) {
      const range = { partition, from, through }
      const [stored] = await select<Doubtful & { firstMs: number; lastMs: number }>(client, 'keys-between', range)
      if (stored !== undefined && stored.assignments.length > 0) {
        // Of a pair that only others name, the former owner may have taken back the last row.
        const among = { shares: 1, share: 0, among: stored.people }
        const unlinked = await select<{ userId: string }>(client, 'unlinked-people', among)
        const people = [...stored.people, ...unlinked.map(({ userId }) => userId)]
        keys = { assignments: stored.assignments, people }
        const times = {
          since: toDateTime(stored.firstMs - learnsWithinMs),
          until: toDateTime(stored.lastMs + learnsWithinMs),
        }
        const [row] = await select<{ isSpread: number }>(client, 'is-spread', { ...range, ...times })
        isSpread = row?.isSpread === 1
      }
      await audit.refold(keys)
    }
    const surplus = await emptySurplusPositions(partition, from)
    onAudited?.({ partition, assignments: keys.assignments.length, people: keys.people.length, positions: surplus })
    return isSpread
  }

  /** Records stored by two owners would be in the ledger twice: what overlaps is cancelled. */
  async function emptySurplusPositions(partition: number, from: number): Promise<number> {
    const rows = await select<Part & { recordedAt: number }>(client, 'positions-from', { partition, from })
    const surplus = toSurplus(rows)
    await insertRows(
      client,
      'log_positions',
      surplus.map(({ first, next, recordedAt }) => ({
        log_partition: partition,
        first_offset: first,
        next_offset: next,
        // Later than the row that it takes the place of, whatever the clock of its owner was.
        recorded_at: Math.max(Date.now(), recordedAt + 1),
        complete_through: 0,
        ledger: [],
      })),
    )
    return surplus.length
  }
}

export type Part = { first: number; next: number }

/** The parts to leave out, so that the others overlap nowhere and hold as much as possible. */
export function toSurplus<Each extends Part>(parts: readonly Each[]): Each[] {
  const sorted = parts.toSorted((a, b) => a.next - b.next || a.first - b.first)
  /** The first n parts: how much they can hold, and which they are. */
  const best: { size: number; parts: readonly Each[] }[] = [{ size: 0, parts: [] }]
  for (const [index, part] of sorted.entries()) {
    const without = best[index]!
    const before = best[sorted.findLastIndex(({ next }, at) => at < index && next <= part.first) + 1]!
    const size = before.size + part.next - part.first
    best.push(size > without.size ? { size, parts: [...before.parts, part] } : without)
  }
  const largest = new Set(best.at(-1)?.parts)
  return sorted.filter((part) => !largest.has(part))
}
