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

/** Decides what to do about each difference of a person. A deletion counts only if the comparison before saw it and there are not too many of them. */
export async function decide(
  client: ClickHouseClient,
  userId: string,
  differences: readonly Difference[],
  answeredAtMs: number,
  { repair, repairMassDeletion = false }: RepairOptions,
  before: { extra: number; compared: number; earlier: () => Check[] },
): Promise<Finding[]> {
  const extra = differences.filter(({ kind }) => kind === 'extra').map(({ assignmentId }) => assignmentId)
  const params = { user: userId, assignments: extra, by: toDateTime(answeredAtMs - confirmExtraMs) }
  type SeenBefore = { assignment_id: string; is_held: 0 | 1 }
  const seen = extra.length === 0 ? [] : await select<SeenBefore>(client, 'extra-before', params)
  const confirmed = new Map(seen.map(({ assignment_id, is_held }) => [assignment_id, is_held === 1]))
  const run = { extra: before.extra + extra.length, compared: before.compared + differences.length }
  const isHeldBack = extra.length > 0 && !repairMassDeletion && isMass(run, before.earlier)

  function toAction(difference: Difference): Action {
    const wasHeld = difference.kind === 'extra' ? confirmed.get(difference.assignmentId) : false
    if (difference.kind === 'created' && difference.isTooEarly) return 'listed'
    // Somebody who only looks takes nothing back: what was held back stays so.
    if (!repair) return wasHeld === true ? 'held_back' : 'reported'
    if (difference.kind !== 'extra') return 'repaired'
    if (wasHeld === undefined) return 'waiting'
    return isHeldBack ? 'held_back' : 'repaired'
  }
  return differences.map((difference) => {
    const action = toAction(difference)
    const records = action === 'repaired' ? toRepairRecords(difference, answeredAtMs) : []
    return { difference, answeredAtMs, action, records }
  })
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

/** Differences by kind. `created`: lives of assignments whose `Created` was lost. */
export const noCounts = { compared: 0, missing: 0, stale: 0, extra: 0, created: 0 }

export async function noteCheck(
  client: ClickHouseClient,
  userId: string,
  checkedAtMs: number,
  outcome: 'compared' | 'not_found' | 'not_offered' | 'failed',
  counts: typeof noCounts,
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
  const ids = { id: assignmentId, ...(challengeId !== '' && { challengeId }) }
  /** Only the person's id: the platform's present facts say nothing about that time. */
  const toEnvelope = (type: AssignmentEventType, timestamp: number, reason: string) => {
    const isOfFields = reason === kind && fields.length > 0
    const rollcall = { synthetic: reconcileSource, reason, ...(isOfFields && { fields }) }
    return { eventType: type, timestamp, user: { id: userId }, rollcall }
  }
  const deletion = (timestamp: number, reason: string) => ({
    ...toEnvelope('assignmentDeleted.challenge', timestamp, reason),
    challengeAssignment: ids,
  })
  /** Any difference that shows it gives the same event. */
  const endBefore = (createdAtMs: number) => deletion(createdAtMs - 1, 'another_life')
  if (kind === 'extra') return [deletion(answeredAtMs, kind)]
  if (kind === 'created') {
    const { createdAtMs: createdAt, isAfterAnother } = difference.life
    // Without `updatedAt`: the lost one comes after it if it was only late.
    const creation = {
      ...toEnvelope('assignmentCreated.challenge', createdAt, kind),
      challengeAssignment: { ...ids, ...newAssignment, createdAt },
    }
    return isAfterAnother ? [endBefore(createdAt), creation] : [creation]
  }
  const { payload, ourRow: ours } = difference
  const sent = JSON.parse(Buffer.from(payload.body).toString()) as Record<string, unknown>
  const { createdAt, updatedAt } = payload.event.wire.challengeAssignment ?? {}
  const lastMs = ours?.validFromMs ?? 0
  // When it changed, if the platform says so and it is later than what we know; else only an upper bound is known.
  const changedAtMs =
    updatedAt != null && updatedAt > lastMs && updatedAt <= answeredAtMs ? updatedAt : answeredAtMs
  const toState = (type: AssignmentEventType) => ({ ...sent, ...toEnvelope(type, changedAtMs, kind) })
  // Created after our last event: another life, whose start and preceding deletion were both missed.
  const isAnotherLife =
    kind === 'stale' &&
    fields.includes('createdAt') &&
    createdAt != null &&
    createdAt > lastMs &&
    createdAt <= changedAtMs
  if (isAnotherLife) return [endBefore(createdAt), toState('assignmentCreated.challenge')]
  const isAgain = ours?.isDeleted === 1
  return [toState(isAgain ? 'assignmentCreated.challenge' : payload.event.assignment.eventType)]
}
