/** The consequences of a difference between the platform's lists and the store, and the record of it. */
import type { ClickHouseClient } from '@clickhouse/client'
import { assignmentFieldList, type AssignmentEventType } from '../../../schemas/webhook/event.ts'
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import { reconcileSource } from '../../config/token.ts'
import { storeWhatCanBe } from '../../consumer/set-aside/store-in-parts.ts'
import type { LogRecord } from '../../event-log/event-log.ts'
import { select } from '../statements.ts'
import type { Difference } from './compare-assignments.ts'

export type RepairOptions = {
  /** False: report only. */
  repair: boolean
  /** Repair deletions even when suspiciously many: more than 20, and a tenth of those compared, in this run or with those before. Default false. */
  repairMassDeletion?: boolean
}

/** An assignment that the platform no longer lists is deleted here if the comparison before, this long ago, missed it as well. */
const confirmExtraMs = 3_600_000

/** A platform that suddenly lists almost nothing is probably broken. */
const mass = { leastDeletions: 20, share: 0.1, days: 7 }

export type Action = 'repaired' | 'reported' | 'waiting' | 'held_back' | 'listed'
export type Finding = { difference: Difference; answeredAtMs: number; action: Action; records: LogRecord[] }

type SeenBefore = { assignment_id: string; is_held: 0 | 1 }

/** Decides what to do about each difference of a person. A deletion counts only if the comparison before saw it and there are not too many of them. */
export async function decide(
  client: ClickHouseClient,
  userId: string,
  differences: readonly Difference[],
  answeredAtMs: number,
  options: RepairOptions,
  before: { extra: number; compared: number; earlier: () => Check[] },
): Promise<Finding[]> {
  const extra = differences.filter(({ kind }) => kind === 'extra').map(({ assignmentId }) => assignmentId)
  const by = toDateTime(answeredAtMs - confirmExtraMs)
  const seen =
    extra.length === 0
      ? []
      : await select<SeenBefore>(client, 'extra-before', { user: userId, assignments: extra, by })
  const confirmed = new Map(seen.map(({ assignment_id, is_held }) => [assignment_id, is_held === 1]))
  const run = { extra: before.extra + extra.length, compared: before.compared + differences.length }
  const isHeldBack = extra.length > 0 && options.repairMassDeletion !== true && isMass(run, before.earlier)
  return differences.map((difference) => {
    const action = toAction(difference)
    const records = action === 'repaired' ? toRepairRecords(difference, answeredAtMs) : []
    return { difference, answeredAtMs, action, records }
  })

  function toAction(difference: Difference): Action {
    const { kind, assignmentId } = difference
    if (kind === 'created' && difference.isTooEarly) return 'listed'
    // Somebody who only looks takes nothing back: what was held back stays so.
    if (!options.repair)
      return kind === 'extra' && confirmed.get(assignmentId) === true ? 'held_back' : 'reported'
    if (kind !== 'extra') return 'repaired'
    if (!confirmed.has(assignmentId)) return 'waiting'
    return isHeldBack ? 'held_back' : 'repaired'
  }
}

export async function noteFindings(client: ClickHouseClient, findings: readonly Finding[]): Promise<void> {
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

export type Check = { user_id: string; extra: number; compared: number }

/** The last comparison of each person, newest first. */
export function readLastChecks(client: ClickHouseClient, now: number): Promise<Check[]> {
  return select<Check>(client, 'last-checks', { since: toDateTime(now - mass.days * 86_400_000) })
}

/** Counted from now back, through the runs before: else each run would repair twenty. */
function isMass(run: Omit<Check, 'user_id'>, earlier: () => Check[]): boolean {
  let { extra, compared } = run
  const isTooMany = () => extra > mass.leastDeletions && extra > mass.share * compared
  return (
    isTooMany() ||
    earlier().some((check) => {
      extra += check.extra
      compared += check.compared
      return isTooMany()
    })
  )
}

export async function noteCheck(
  client: ClickHouseClient,
  userId: string,
  checkedAtMs: number,
  outcome: 'compared' | 'not_found' | 'not_offered' | 'failed',
  counts: { compared: number; missing: number; stale: number; extra: number; created: number },
): Promise<void> {
  const row = { user_id: userId, checked_at: checkedAtMs, outcome, ...counts }
  await storeWhatCanBe([row], (some) => insertRows(client, 'reconcile_checks', some))
}

// The synthetic events that repair a difference. They go through the log like every delivery, so a rebuild has them, under
// the source `reconcile` and with a `rollcall` object that states the reason. The same difference makes the same bytes
// and event id: repairing twice is a repeat. A `Created` that was lost is made up of what the specification (2.2) says of a new
// assignment; its first due date is not known.

/** The specification's values of a new assignment (2.2). */
const newAssignment = Object.fromEntries(
  assignmentFieldList.flatMap(([name, { whenNew }]) => (whenNew === undefined ? [] : [[name, whenNew]])),
)

/** `answeredAtMs`: when the platform had answered, the latest moment at which it held. */
export function toRepairRecords(difference: Difference, answeredAtMs: number): LogRecord[] {
  return toEvents(difference, answeredAtMs).map((event) => {
    const body = Buffer.from(JSON.stringify(event))
    return {
      key: difference.assignmentId,
      eventId: toEventId(body),
      source: reconcileSource,
      receivedAt: answeredAtMs,
      body,
    }
  })
}

function toEvents(difference: Difference, answeredAtMs: number): Record<string, unknown>[] {
  const { assignmentId, userId, challengeId, kind, fields } = difference
  if (kind === 'extra') return [deletion(answeredAtMs)]
  if (kind === 'created') {
    const { createdAtMs, isAfterAnother } = difference.life
    return [...(isAfterAnother ? [endBefore(createdAtMs)] : []), creation(createdAtMs)]
  }
  const { payload, ourRow: ours } = difference
  const sent = JSON.parse(Buffer.from(payload.body).toString()) as Record<string, unknown>
  const { createdAt, updatedAt } = payload.event.wire.challengeAssignment ?? {}
  const lastMs = ours?.validFromMs ?? 0
  const isAgain = ours?.isDeleted === 1
  // When it changed, if the platform says so and it is later than what we know; else only an upper bound is known.
  const changedAtMs =
    updatedAt != null && updatedAt > lastMs && updatedAt <= answeredAtMs ? updatedAt : answeredAtMs
  const state = toState(
    isAgain ? 'assignmentCreated.challenge' : payload.event.assignment.eventType,
    changedAtMs,
  )
  // Created after our last event: another life, whose start and preceding deletion were both missed.
  const isAnotherLife =
    kind === 'stale' &&
    fields.includes('createdAt') &&
    createdAt != null &&
    createdAt > lastMs &&
    createdAt <= changedAtMs
  if (!isAnotherLife) return [state]
  return [endBefore(createdAt), toState('assignmentCreated.challenge', changedAtMs)]

  /** Only the person's id: the platform's present facts say nothing about that time. */
  function toState(eventType: AssignmentEventType, timestamp: number): Record<string, unknown> {
    return { ...sent, ...toEnvelope(eventType, timestamp), ...toMark(kind) }
  }
  function deletion(timestamp: number, reason: string = kind): Record<string, unknown> {
    return {
      ...toEnvelope('assignmentDeleted.challenge', timestamp),
      challengeAssignment: toIds(),
      ...toMark(reason),
    }
  }
  /** Any difference that shows it gives the same event. */
  function endBefore(createdAtMs: number): Record<string, unknown> {
    return deletion(createdAtMs - 1, 'another_life')
  }
  /** Without `updatedAt`: the lost one comes after it if it was only late. */
  function creation(createdAt: number): Record<string, unknown> {
    return {
      ...toEnvelope('assignmentCreated.challenge', createdAt),
      challengeAssignment: { ...toIds(), ...newAssignment, createdAt },
      ...toMark('created'),
    }
  }
  function toEnvelope(eventType: AssignmentEventType, timestamp: number) {
    return { eventType, timestamp, user: { id: userId } }
  }
  function toIds() {
    return { id: assignmentId, ...(challengeId !== '' && { challengeId }) }
  }
  function toMark(reason: string) {
    const isOfFields = reason === kind && fields.length > 0
    return { rollcall: { synthetic: reconcileSource, reason, ...(isOfFields && { fields }) } }
  }
}
