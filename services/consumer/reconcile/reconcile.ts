/**
 * Reconciliation: a webhook sent while nobody listened is lost, so the platform's lists are compared with the store,
 * person by person, the riskiest first, within the call budget. Synthetic events heal what was missed. A person is done
 * once the healing events are durable and the check is recorded, in this order: a crash in between repeats a person,
 * which is harmless.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LogRecord } from '../../event-log/event-log.ts'
import type { CallPriority, PlatformClient } from '../../platform/platform-client.ts'
import { toAssignmentKey } from '../../../schemas/webhook/assignment-key.ts'
import { storeWhatCanBe } from '../set-aside/store-what-can-be.ts'
import { insertRows } from '../store/insert-rows.ts'
import { compareAssignments, type Difference, type HeldAssignment } from './compare-assignments.ts'
import { selectRows, toDateTime } from './sql.ts'
import { toHealingRecords } from './to-healing-records.ts'

export type ReconcileDeps = {
  client: ClickHouseClient
  platform: PlatformClient
  /** Resolves once all are durable in the event log. */
  append(records: LogRecord[]): Promise<void>
  now?: () => number
}

export type ReconcileOptions = {
  /** False: report only. */
  heal: boolean
  /** Changes this shortly before the answer may still be on their way. Default 15 minutes. */
  graceMs?: number
  /**
   * An assignment that the platform no longer lists is deleted here after it was missing for this long. Default 1 hour.
   */
  confirmExtraMs?: number
  /** Heal deletions even when suspiciously many (more than 20, and a tenth of what was compared). Default false. */
  healMassDeletion?: boolean
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
  /** Only assignments created or changed at the platform in this range, epoch ms, both ends inclusive. */
  fromMs?: number
  toMs?: number
}

export type ReconcileResult = {
  people: number
  /** Of these: unknown to the platform, or the platform has no such list (then nothing can be compared). */
  notFound: number
  notOffered: number
  compared: number
  missing: number
  stale: number
  extra: number
  healed: number
  /** Left for the next time: changed shortly before the answer, or extra for the first time. */
  waiting: number
  /** Deletions that a person must confirm. */
  heldBack: number
  /** Unreadable items of the platform's lists. */
  skipped: number
}

/** Called and awaited after every person; an error ends the run. */
export type Progress = (done: { people: number; of: number; result: Readonly<ReconcileResult> }) => Promise<void> | void

export type Reconcile = {
  /** The next people of the rolling sweep. */
  sweep(options: SweepOptions, onProgress?: Progress): Promise<ReconcileResult>
  /** The named people, or everybody, now. */
  backfill(options: BackfillOptions, onProgress?: Progress): Promise<ReconcileResult>
}

const defaults = { graceMs: 15 * 60_000, confirmExtraMs: 3_600_000, notAgainForMs: 6 * 3_600_000 }
/** A platform that suddenly lists almost nothing is probably broken. */
const mass = { leastDeletions: 20, share: 0.1 }

type Action = 'healed' | 'reported' | 'waiting' | 'held_back'
type Finding = { difference: Difference; answeredAtMs: number; action: Action; records: LogRecord[] }

export function createReconcile({ client, platform, append, now = Date.now }: ReconcileDeps): Reconcile {
  async function run(
    users: readonly string[],
    options: ReconcileOptions & Pick<BackfillOptions, 'fromMs' | 'toMs'>,
    priority: CallPriority,
    onProgress: Progress | undefined,
  ): Promise<ReconcileResult> {
    const result: ReconcileResult = {
      people: 0,
      notFound: 0,
      notOffered: 0,
      compared: 0,
      missing: 0,
      stale: 0,
      extra: 0,
      healed: 0,
      waiting: 0,
      heldBack: 0,
      skipped: 0,
    }
    for (const userId of users) {
      options.signal?.throwIfAborted()
      await reconcilePerson(userId, options, priority, result)
      result.people++
      await onProgress?.({ people: result.people, of: users.length, result })
    }
    return result
  }

  async function reconcilePerson(
    userId: string,
    options: ReconcileOptions & Pick<BackfillOptions, 'fromMs' | 'toMs'>,
    priority: CallPriority,
    result: ReconcileResult,
  ): Promise<void> {
    const { fromMs = -Infinity, toMs = Infinity, graceMs = defaults.graceMs } = options
    const isWhole = fromMs === -Infinity && toMs === Infinity
    const answer = await platform.userAssignments(userId, {
      priority,
      ...(options.signal && { signal: options.signal }),
    })
    if (answer.outcome !== 'assignments') {
      if (answer.outcome === 'not_found') result.notFound++
      else result.notOffered++
      return noteCheck(userId, Math.floor(now()), answer.outcome, { compared: 0, missing: 0, stale: 0, extra: 0 })
    }
    const answeredAtMs = Math.floor(answer.answeredAtMs)
    const payloads = answer.payloads.filter(({ event }) => {
      const { createdAt, updatedAt } = event.wire.challengeAssignment ?? {}
      return isWhole || [createdAt, updatedAt].some((at) => at != null && at >= fromMs && at <= toMs)
    })
    const keys = answer.payloads.map(({ event }) => BigInt(toAssignmentKey(event.assignment.id)))
    // Our rows are read after the platform's: deliveries in between make ours newer, never theirs.
    const held = await selectRows<HeldAssignment>(client, 'held-assignments', { users: [userId], keys })
    const comparison = compareAssignments(userId, payloads, held, answeredAtMs - graceMs)
    // A range says nothing about what is outside it, and an unreadable item may be any assignment.
    const differences =
      isWhole && answer.skipped.length === 0
        ? comparison.differences
        : comparison.differences.filter(({ kind }) => kind !== 'extra')
    const findings = await decide(differences, answeredAtMs, options, result)
    await append(findings.flatMap(({ records }) => records))
    await noteFindings(findings)

    const count = (kind: Difference['kind']) => differences.filter((difference) => difference.kind === kind).length
    const counts = {
      compared: comparison.compared,
      missing: count('missing'),
      stale: count('stale'),
      extra: count('extra'),
    }
    for (const [name, n] of Object.entries(counts)) result[name as keyof typeof counts] += n
    const took = (action: Action) => findings.filter((finding) => finding.action === action).length
    result.healed += took('healed')
    result.waiting += took('waiting') + comparison.tooFresh
    result.heldBack += took('held_back')
    result.skipped += answer.skipped.length
    // After a partial comparison the sweep must not believe that all were compared.
    if (isWhole) await noteCheck(userId, answeredAtMs, 'compared', counts)
  }

  async function decide(
    differences: readonly Difference[],
    answeredAtMs: number,
    options: ReconcileOptions,
    result: Readonly<ReconcileResult>,
  ): Promise<Finding[]> {
    const extra = differences.filter(({ kind }) => kind === 'extra').map(({ assignmentId }) => assignmentId)
    const confirmMs = options.confirmExtraMs ?? defaults.confirmExtraMs
    const confirmed = new Set(
      extra.length === 0
        ? []
        : (
            await selectRows<{ assignment_id: string }>(client, 'extra-before', {
              assignments: extra,
              by: toDateTime(answeredAtMs - confirmMs),
              since: toDateTime(answeredAtMs - 30 * 86_400_000),
            })
          ).map((row) => row.assignment_id),
    )
    const deletions = result.extra + extra.length
    const isMass = deletions > mass.leastDeletions && deletions > mass.share * (result.compared + differences.length)
    return differences.map((difference) => {
      const action = toAction(difference)
      const records = action === 'healed' ? toHealingRecords(difference, answeredAtMs) : []
      return { difference, answeredAtMs, action, records }
    })

    function toAction({ kind, assignmentId }: Difference): Action {
      if (!options.heal) return 'reported'
      if (kind !== 'extra') return 'healed'
      if (confirmMs > 0 && !confirmed.has(assignmentId)) return 'waiting'
      return isMass && options.healMassDeletion !== true ? 'held_back' : 'healed'
    }
  }

  async function noteFindings(findings: readonly Finding[]): Promise<void> {
    const rows = findings.map(({ difference, answeredAtMs, action, records }) => ({
      found_at: answeredAtMs,
      assignment_id: difference.assignmentId,
      user_id: difference.userId,
      challenge_id: difference.challengeId,
      kind: difference.kind,
      fields: difference.fields,
      action,
      event_ids: records.map(({ eventId }) => eventId),
    }))
    await storeWhatCanBe(rows, (some) => insertRows(client, 'reconcile_findings', some))
  }

  async function noteCheck(
    userId: string,
    checkedAtMs: number,
    outcome: 'compared' | 'not_found' | 'not_offered',
    counts: { compared: number; missing: number; stale: number; extra: number },
  ): Promise<void> {
    const row = { user_id: userId, checked_at: checkedAtMs, outcome, ...counts }
    await storeWhatCanBe([row], (some) => insertRows(client, 'reconcile_checks', some))
  }

  async function nextPeople(limit: number, beforeMs: number): Promise<string[]> {
    const rows = await selectRows<{ user_id: string }>(client, 'next-people', {
      now: toDateTime(now()),
      before: toDateTime(beforeMs),
      limit,
    })
    return rows.map((row) => row.user_id)
  }

  return {
    async sweep(options, onProgress) {
      const users = await nextPeople(options.maxPeople, now() - (options.notAgainForMs ?? defaults.notAgainForMs))
      return run(users, options, 'sweep', onProgress)
    },
    async backfill(options, onProgress) {
      const users = options.users ?? (await nextPeople(4_000_000_000, now() + 1))
      return run(users, options, 'job', onProgress)
    },
  }
}
