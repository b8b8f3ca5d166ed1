/**
 * Reconciliation: a webhook sent while nobody listened is lost, so the platform's lists are compared with the store,
 * person by person, the riskiest first, within the call budget. Synthetic events repair what was missed. A person is done
 * once the repair events are durable and the check is recorded, in this order: a crash in between repeats a person,
 * which is harmless.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LogRecord } from '../../event-log/event-log.ts'
import type { CallPriority, UserAssignments } from '../../platform/platform-client.ts'
import type { PlatformClient } from '../../platform/open-platform-client.ts'
import { mostFailuresInARow, PlatformError } from '../../platform/platform-error.ts'
import { toAssignmentKey } from '../../../schemas/webhook/event-bits.ts'
import { compareAssignments, type HeldAssignment } from './compare-assignments.ts'
import {
  decide,
  noCounts,
  noteCheck,
  noteFindings,
  readLastChecks,
  type Action,
  type RepairOptions,
} from './repair-differences.ts'
import { readDeliveriesBegan, readLostLives } from './lost-lives.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import { select } from '../statements.ts'

export type ReconcileDeps = {
  client: ClickHouseClient
  platform: PlatformClient
  /** Resolves once all are durable in the event log. */
  append(records: LogRecord[]): Promise<void>
  now?: () => number
}

type ReconcileOptions = RepairOptions & { signal?: AbortSignal }

type SweepOptions = ReconcileOptions & {
  /** Maximum number of people in this run. */
  maxPeople: number
  /** People compared more recently are left out. Default 6 hours. */
  notAgainForMs?: number
}

type BackfillOptions = ReconcileOptions & {
  /** Only these people; empty: everybody known. */
  users?: readonly string[]
  /** Leaves out people who were compared since then, epoch ms. Default: no one. */
  beganAtMs?: number
}

export type ReconcileResult = ReturnType<typeof createResult>

/** Called and awaited after every person; an error ends the run. */
type Progress = (done: {
  people: number
  of: number
  result: Readonly<ReconcileResult>
}) => Promise<void> | void

export type Reconcile = ReturnType<typeof createReconcile>

/** Changes this shortly before the answer may still be on their way. */
const graceMs = 15 * 60_000

/** So many people without a list, and nobody with one: the platform has none, and the rest of the run is not asked. */
const enoughWithoutList = 5

const names: Record<Action, keyof ReconcileResult> = {
  repaired: 'repaired',
  reported: 'reported',
  waiting: 'waiting',
  held_back: 'heldBack',
  listed: 'listed',
}

export function createReconcile({ client, platform, append, now = Date.now }: ReconcileDeps) {
  async function run(
    users: readonly string[],
    options: ReconcileOptions,
    priority: CallPriority,
    onProgress: Progress | undefined,
  ): Promise<ReconcileResult> {
    const result = createResult()
    const { signal } = options
    let hasLists = false
    let failuresInARow = 0
    const deliveriesBegan = await readDeliveriesBegan(client)
    const checks = await readLastChecks(client, now())
    const begun = new Set<string>()
    /** The comparisons of people who do not come in this run, or come later. */
    const earlier = () => checks.filter(({ user_id }) => !begun.has(user_id))

    async function reconcilePerson(userId: string): Promise<void> {
      const isAsked = hasLists || result.notOffered < enoughWithoutList
      const answer: UserAssignments = isAsked
        ? await platform.userAssignments(userId, { priority, ...(signal && { signal }) })
        : { outcome: 'not_offered' }
      if (answer.outcome === 'not_found') result.notFound++
      if (answer.outcome === 'not_offered') result.notOffered++
      const isListed = answer.outcome === 'assignments'
      const {
        payloads: everything,
        skipped,
        answeredAtMs: at,
      } = isListed ? answer : { payloads: [], skipped: [], answeredAtMs: now() }
      hasLists ||= everything.length > 0
      const answeredAtMs = Math.floor(at)
      const settledBeforeMs = answeredAtMs - graceMs
      // Without the last event of one that is not there any more.
      const payloads = everything.filter(
        ({ event }) => event.assignment.eventType !== 'assignmentDeleted.challenge',
      )
      const keys = everything.map(({ event }) => BigInt(toAssignmentKey(event.assignment.id)))
      // Our rows are read after the platform's: deliveries in between make ours newer, never theirs.
      const ourRows = await select<HeldAssignment>(client, 'held-assignments', { users: [userId], keys })
      const { compared, differences, tooFresh } = isListed
        ? compareAssignments(userId, payloads, ourRows, settledBeforeMs)
        : { compared: 0, differences: [], tooFresh: 0 }
      // Our own events show lost creations, too, whatever the platform answers.
      const lost = await readLostLives(client, {
        userId,
        payloads,
        ourRows,
        deliveriesBegan,
        settledBeforeMs,
      })
      // An unreadable item may be any assignment.
      const sure = differences.filter(({ kind }) => skipped.length === 0 || kind !== 'extra')
      const before = { ...result, earlier }
      const findings = await decide(client, userId, [...sure, ...lost], answeredAtMs, options, before)
      await append(findings.flatMap(({ records }) => records))
      await noteFindings(client, findings)

      const counts = { ...noCounts, compared }
      for (const { difference, action } of findings) {
        counts[difference.kind]++
        result[names[action]]++
      }
      for (const [name, n] of Object.entries(counts)) result[name as keyof typeof counts] += n
      result.waiting += tooFresh
      result.skipped += skipped.length
      await noteCheck(client, userId, answeredAtMs, isListed ? 'compared' : answer.outcome, counts)
    }

    for (const userId of users) {
      signal?.throwIfAborted()
      begun.add(userId)
      try {
        await reconcilePerson(userId)
        failuresInARow = 0
      } catch (error) {
        if (!(error instanceof PlatformError) || !error.isAboutOne) throw error
        result.failed++
        failuresInARow++
        // Noted also where the run ends: the next one begins with others.
        await noteCheck(client, userId, now(), 'failed', noCounts)
        if (failuresInARow === mostFailuresInARow || result.failed === users.length) throw error
      }
      result.people++
      await onProgress?.({ people: result.people, of: users.length, result })
    }
    return result
  }

  async function nextPeople(limit: number, beforeMs: number): Promise<string[]> {
    const params = { now: toDateTime(now()), before: toDateTime(beforeMs), limit }
    return (await select<{ user_id: string }>(client, 'next-people', params)).map((row) => row.user_id)
  }

  return {
    async sweep(options: SweepOptions, onProgress?: Progress): Promise<ReconcileResult> {
      const users = await nextPeople(options.maxPeople, now() - (options.notAgainForMs ?? 6 * 3_600_000))
      return run(users, options, 'sweep', onProgress)
    },
    /** The named people, or everybody, now. */
    async backfill(options: BackfillOptions, onProgress?: Progress): Promise<ReconcileResult> {
      const users = options.users ?? (await nextPeople(4_000_000_000, options.beganAtMs ?? now() + 1))
      return run(users, options, 'job', onProgress)
    },
  }
}

function createResult() {
  return {
    people: 0,
    /** People of these who are unknown to the platform, or for whom it has no such list (then nothing is compared). */
    notFound: 0,
    notOffered: 0,
    /** People whose list could not be read. They come again in their turn. */
    failed: 0,
    ...noCounts,
    repaired: 0,
    /** Left as they are, because nothing was to be repaired. */
    reported: 0,
    /** Left for the next time: changed shortly before the answer, or extra for the first time. */
    waiting: 0,
    /** Deletions that a person must confirm. */
    heldBack: 0,
    /** Those of `created` from before deliveries began: nothing is made up for them. Each is listed once. */
    listed: 0,
    /** Unreadable items of the platform's lists. */
    skipped: 0,
  }
}
