/**
 * The audit finds what two consumers stored of one batch. A consumer may be stopped between its check and its insert; the
 * insert then arrives after the next owner of the partition has stored the same. The audit folds again every assignment
 * and person with an impossible state and those that were stored around a takeover, and it cancels overlapping positions.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import type { Consumer } from '../../consumer/consumer.ts'
import { forgetAttributes } from '../../consumer/store/refold.ts'
import { storeAssignments } from '../../consumer/store/store-assignments.ts'
import type { People } from '../../consumer/store/store-people.ts'
import type { Job } from '../job.ts'
import { select } from '../statements.ts'

/** A part of all keys. */
export type Share = { share: number; shares: number }
export type Doubtful = { assignments: string[]; people: string[] }

export type Audit = ReturnType<typeof createAudit>

const maxTries = 3
/** A batch of the former owner holds at most as many records. */
const mostInBatch = 10_000

export type AuditOptions = {
  client: ClickHouseClient
  people: People
  /** Keeps this process's consumer from the same keys meanwhile. */
  exclusively: Consumer['exclusively']
}

export function createAudit({ client, people, exclusively }: AuditOptions) {
  /** The keys of one share with an impossible state, or in the middle of a batch. Changes nothing. */
  async function find(params: Share): Promise<Doubtful> {
    const assignments = await select<{ assignmentKey: string }>(client, 'doubtful-assignments', params)
    const users = await select<{ userId: string }>(client, 'doubtful-people', params)
    const unlinked = await select<{ userId: string }>(client, 'unlinked-people', params)
    return {
      assignments: assignments.map(({ assignmentKey }) => assignmentKey),
      people: [...new Set([...users, ...unlinked].map(({ userId }) => userId))],
    }
  }

  /** Folds all versions of these keys once more, and removes what should not be there. */
  async function refold(keys: Doubtful, betweenSteps = () => Promise.resolve()): Promise<void> {
    await exclusively(async () => {
      const sinceEver = new Map(keys.assignments.map((assignmentKey) => [assignmentKey, 0]))
      await storeAssignments(client, sinceEver, betweenSteps)
      await people.mend(keys.people)
    })
  }

  return {
    async shares(): Promise<Share[]> {
      const [{ shares } = { shares: 1 }] = await select<{ shares: number }>(client, 'count-shares')
      return Array.from({ length: shares }, (_, share) => ({ share, shares }))
    },
    find,
    /** Folds again what was stored around the takeovers of a period. */
    async refoldAround({ firstMs, lastMs }: Takeovers, betweenSteps?: () => Promise<void>): Promise<void> {
      const period = { first: toDateTime(firstMs), last: toDateTime(lastMs) }
      const [keys] = await select<Doubtful>(client, 'keys-around', { ...period, batch: mostInBatch })
      if (keys !== undefined) await refold(keys, betweenSteps)
    },
    /** A process with an older list of attributes may have stored others since the last start, as in a rolling deploy. */
    forgetAttributes: () => exclusively(() => forgetAttributes(client, people)),
    /** Re-folds keys until they are right, since their owner may change them too. Returns the keys that stay doubtful. */
    async mend(share: Share, doubtful: Doubtful, betweenSteps?: () => Promise<void>): Promise<Doubtful> {
      let rest = doubtful
      for (let tries = 0; tries < maxTries && count(rest) > 0; tries++) {
        await refold(rest, betweenSteps)
        rest = await find(share)
      }
      return rest
    },
    /** The ledger would count records twice that two owners have stored. Returns how many rows were cancelled. */
    async cancelOverlaps(sinceMs: number): Promise<number> {
      const rows = await select<Position>(client, 'overlapping-positions', { since: toDateTime(sinceMs) })
      const surplus = [...Map.groupBy(rows, (row) => row.log_partition).values()].flatMap(toSurplus)
      const cancelled = surplus.map((row) => ({ ...row, complete_through: 0, ledger: [] }))
      await insertRows(client, 'log_positions', cancelled)
      return cancelled.length
    },
  }
}

type Part = { first_offset: number; next_offset: number }
/** `recorded_at`: of the row that cancels it. */
type Position = Part & { log_partition: number; recorded_at: number; log_id: string; log_begin: number }

/** The parts to cancel, so that the others overlap nowhere and hold as much as possible. */
export function toSurplus<Each extends Part>(parts: readonly Each[]): Each[] {
  const sorted = parts.toSorted((a, b) => a.next_offset - b.next_offset || a.first_offset - b.first_offset)
  /** Of the first n parts: the most that they can hold, and the parts that do. */
  const best: { size: number; parts: readonly Each[] }[] = [{ size: 0, parts: [] }]
  for (const [index, part] of sorted.entries()) {
    const without = best[index]!
    const isBefore = (each: Part, at: number) => at < index && each.next_offset <= part.first_offset
    const before = best[sorted.findLastIndex(isBefore) + 1]!
    const size = before.size + part.next_offset - part.first_offset
    best.push(size > without.size ? { size, parts: [...before.parts, part] } : without)
  }
  const kept = new Set(best.at(-1)?.parts)
  return sorted.filter((part) => !kept.has(part))
}

export type Takeovers = { firstMs: number; lastMs: number }

/** The takeovers that no audit has covered. A group assigns all partitions at once, so every member sees each of them. */
export function createTakeovers(afterMs: number, now: () => number = Date.now) {
  let open: Takeovers | undefined
  return {
    /** A partition was assigned to this process. */
    note: () => void (open = { firstMs: open?.firstMs ?? now(), lastMs: now() }),
    /** `undefined` until every insert of a former owner has arrived or failed. */
    due: () => (open !== undefined && now() >= open.lastMs + afterMs ? open : undefined),
    audited: (covered: Takeovers) => void (open = open === covered ? undefined : open),
  }
}

// The audit as a job. An interrupted run starts again.

const schedule = '17 * * * *'

/** A consumer that was stopped for longer may leave its deliveries twice in the ledger. */
const longestStopMs = 48 * 3_600_000

export type AuditJobOptions = {
  /** Only if several processes read the log. */
  takeovers?: ReturnType<typeof createTakeovers> | undefined
  /** Longer than a batch takes from its first insert to its last. Default 20,000. */
  betweenLooksMs?: number
}

export function createAuditJob(
  audit: Audit,
  { takeovers, betweenLooksMs = 20_000 }: AuditJobOptions = {},
): Job {
  return {
    name: 'audit',
    title: 'Checking for inconsistent states',
    schedule,
    isDue: () => takeovers?.due() !== undefined,
    async run({ startedAtMs, signal, advance }) {
      const checkStop = () => Promise.resolve(signal.throwIfAborted())
      const takeover = takeovers?.due()
      if (takeover !== undefined) await audit.refoldAround(takeover, checkStop)
      const suspects = new Map<Share, Doubtful>()
      for (const share of await audit.shares()) {
        await checkStop()
        const found = await audit.find(share)
        if (count(found) > 0) suspects.set(share, found)
      }
      // A suspect may be a batch in progress. It no longer is if it is still doubtful after a pause.
      if (suspects.size > 0) await pause(betweenLooksMs, undefined, { signal })
      let [mended, left] = [0, 0]
      for (const [share, before] of suspects) {
        const doubtful = inBoth(before, await audit.find(share))
        const rest = await audit.mend(share, doubtful, checkStop)
        mended += count(doubtful)
        left += count(rest)
        await advance({ done: count(doubtful), checkpoint: {} })
      }
      const cancelled = await audit.cancelOverlaps(startedAtMs - longestStopMs)
      await audit.forgetAttributes()
      if (takeover !== undefined) takeovers?.audited(takeover)
      const notes = [
        mended > 0 && `Recomputed ${mended} assignments and people; ${left} of them are still inconsistent.`,
        cancelled > 0 && `Removed ${cancelled} positions that counted deliveries twice.`,
      ]
      return { note: notes.filter(Boolean).join(' ') }
    },
  }
}

const count = ({ assignments, people }: Doubtful): number => assignments.length + people.length

const inBoth = (a: Doubtful, b: Doubtful): Doubtful => ({
  assignments: a.assignments.filter((assignmentKey) => b.assignments.includes(assignmentKey)),
  people: a.people.filter((userId) => b.people.includes(userId)),
})
