/**
 * Reconciliation: a webhook sent while nobody listened is lost, so the platform's lists are compared with the store,
 * person by person, the riskiest first, within the call budget. Synthetic events repair what was missed. A person is done
 * once the repair events are durable and the check is recorded, in this order: a crash in between repeats a person,
 * which is harmless.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LogRecord } from '../../event-log/event-log.ts'
import type { CallPriority, PlatformClient } from '../../platform/platform-client.ts'
import { mostFailuresInARow, PlatformError } from '../../platform/platform-error.ts'
import { toAssignmentKey } from '../../../schemas/webhook/event-bits.ts'
import { compareAssignments, type Difference, type HeldAssignment } from './compare-assignments.ts'
import {
  decide,
  noteCheck,
  noteFindings,
  readLastChecks,
  type Action,
  type Check,
  type RepairOptions,
} from './repair-differences.ts'
import { readDeliveriesBegan, readLostLives, type DeliveriesBegan } from './lost-lives.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import { select } from '../statements.ts'

export type ReconcileDeps = {
  client: ClickHouseClient
  platform: PlatformClient
  /** Resolves once all are durable in the event log. */
  append(records: LogRecord[]): Promise<void>
  now?: () => number
}

export type ReconcileOptions = RepairOptions & {
  signal?: AbortSignal
}

export type SweepOptions = ReconcileOptions & {
  /** Maximum number of people in this run. */
  maxPeople: number
  /** People compared more recently are left out. Default 6 hours. */
  notAgainForMs?: number
}

export type BackfillOptions = ReconcileOptions & {
  /** Only these people; empty: everybody known. */
  users?: readonly string[]
  /** Leaves out people who were compared since then, epoch ms. Default: no one. */
  beganAtMs?: number
}

export type ReconcileResult = ReturnType<typeof createResult>

/** Called and awaited after every person; an error ends the run. */
export type Progress = (done: {
  people: number
  of: number
  result: Readonly<ReconcileResult>
}) => Promise<void> | void

export type Reconcile = ReturnType<typeof createReconcile>

/** Changes this shortly before the answer may still be on their way. */
const graceMs = 15 * 60_000

/** So many people without a list, and nobody with one: the platform has none, and the rest of the run is not asked. */
const enoughWithoutList = 5

export function createReconcile({ client, platform, append, now = Date.now }: ReconcileDeps) {
  async function run(
    users: readonly string[],
    options: ReconcileOptions,
    priority: CallPriority,
    onProgress: Progress | undefined,
  ): Promise<ReconcileResult> {
    const result = createResult()
    let hasLists = false
    let failuresInARow = 0
    const deliveriesBegan = await readDeliveriesBegan(client)
    const checks = await readLastChecks(client, now())
    const begun = new Set<string>()
    for (const userId of users) {
      options.signal?.throwIfAborted()
      const isAsked: boolean = hasLists || result.notOffered < enoughWithoutList
      begun.add(userId)
      const earlier = () => checks.filter(({ user_id }) => !begun.has(user_id))
      try {
        const isListed = await reconcilePerson(
          userId,
          { ...options, priority, deliveriesBegan, earlier, isAsked },
          result,
        )
        hasLists ||= isListed
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

  /** Whether the platform gave a list with something in it. */
  async function reconcilePerson(
    userId: string,
    options: ReconcileOptions & {
      priority: CallPriority
      deliveriesBegan: DeliveriesBegan
      earlier: () => Check[]
      isAsked: boolean
    },
    result: ReconcileResult,
  ): Promise<boolean> {
    const { priority, deliveriesBegan, earlier, isAsked } = options
    const answer = isAsked
      ? await platform.userAssignments(userId, {
          priority,
          ...(options.signal && { signal: options.signal }),
        })
      : ({ outcome: 'not_offered' } as const)
    const isListed = answer.outcome === 'assignments'
    if (answer.outcome === 'not_found') result.notFound++
    if (answer.outcome === 'not_offered') result.notOffered++
    const answeredAtMs = Math.floor(isListed ? answer.answeredAtMs : now())
    const settledBeforeMs = answeredAtMs - graceMs
    const everything = isListed ? answer.payloads : []
    // Without the last event of one that is not there any more.
    const payloads = everything.filter(
      ({ event }) => event.assignment.eventType !== 'assignmentDeleted.challenge',
    )
    const keys = everything.map(({ event }) => BigInt(toAssignmentKey(event.assignment.id)))
    // Our rows are read after the platform's: deliveries in between make ours newer, never theirs.
    const ourRows = await select<HeldAssignment>(client, 'held-assignments', { users: [userId], keys })
    const comparison = isListed
      ? compareAssignments(userId, payloads, ourRows, settledBeforeMs)
      : { compared: 0, differences: [], tooFresh: 0 }
    // Our own events show lost creations, too, whatever the platform answers.
    const lost = await readLostLives(client, { userId, payloads, ourRows, deliveriesBegan, settledBeforeMs })
    // An unreadable item may be any assignment.
    const isComplete = isListed && answer.skipped.length === 0
    const differences = [
      ...comparison.differences.filter(({ kind }) => isComplete || kind !== 'extra'),
      ...lost,
    ]
    const findings = await decide(client, userId, differences, answeredAtMs, options, { ...result, earlier })
    await append(findings.flatMap(({ records }) => records))
    await noteFindings(client, findings)

    const count = (kind: Difference['kind']) =>
      differences.filter((difference) => difference.kind === kind).length
    const counts = {
      compared: comparison.compared,
      missing: count('missing'),
      stale: count('stale'),
      extra: count('extra'),
      created: count('created'),
    }
    for (const [name, n] of Object.entries(counts)) result[name as keyof typeof counts] += n
    const took = (action: Action) => findings.filter((finding) => finding.action === action).length
    result.repaired += took('repaired')
    result.reported += took('reported')
    result.waiting += took('waiting') + comparison.tooFresh
    result.heldBack += took('held_back')
    result.listed += took('listed')
    result.skipped += isListed ? answer.skipped.length : 0
    await noteCheck(client, userId, answeredAtMs, isListed ? 'compared' : answer.outcome, counts)
    return everything.length > 0
  }

  async function nextPeople(limit: number, beforeMs: number): Promise<string[]> {
    const rows = await select<{ user_id: string }>(client, 'next-people', {
      now: toDateTime(now()),
      before: toDateTime(beforeMs),
      limit,
    })
    return rows.map((row) => row.user_id)
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

const noCounts = { compared: 0, missing: 0, stale: 0, extra: 0, created: 0 }

function createResult() {
  return {
    people: 0,
    /** People of these who are unknown to the platform, or for whom it has no such list (then nothing is compared). */
    notFound: 0,
    notOffered: 0,
    /** People whose list could not be read. They come again in their turn. */
    failed: 0,
    compared: 0,
    missing: 0,
    stale: 0,
    extra: 0,
    /** Lives of assignments whose `Created` was lost. */
    created: 0,
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
