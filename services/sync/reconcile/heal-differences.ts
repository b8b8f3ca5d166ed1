/** The consequences of a difference between the platform's lists and the store, and the record of it. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { LogRecord } from '../../event-log/event-log.ts'
import { storeWhatCanBe } from '../../consumer/set-aside/store-what-can-be.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import type { Difference } from './compare-assignments.ts'
import { toHealingRecords } from './to-healing-records.ts'
import { toDateTime } from '../../clickhouse/statements.ts'
import { select } from '../statements.ts'

export type HealOptions = {
  /** False: report only. */
  heal: boolean
  /** Heal deletions even when suspiciously many (more than 20, and a tenth of those compared). Default false. */
  healMassDeletion?: boolean
}

/** An assignment that the platform no longer lists is deleted here after it was missing for this long. */
const confirmExtraMs = 3_600_000

/** A platform that suddenly lists almost nothing is probably broken. */
const mass = { leastDeletions: 20, share: 0.1 }

export type Action = 'healed' | 'reported' | 'waiting' | 'held_back' | 'listed'
export type Finding = { difference: Difference; answeredAtMs: number; action: Action; records: LogRecord[] }

/** Decides what to do about each difference. A deletion counts only if it was seen before and there are not too many of them. */
export async function decide(
  client: ClickHouseClient,
  differences: readonly Difference[],
  answeredAtMs: number,
  options: HealOptions,
  before: { extra: number; compared: number },
): Promise<Finding[]> {
  const extra = differences.filter(({ kind }) => kind === 'extra').map(({ assignmentId }) => assignmentId)
  const confirmed = new Set(
    extra.length === 0
      ? []
      : (
          await select<{ assignment_id: string }>(client, 'extra-before', {
            assignments: extra,
            by: toDateTime(answeredAtMs - confirmExtraMs),
            since: toDateTime(answeredAtMs - 30 * 86_400_000),
          })
        ).map((row) => row.assignment_id),
  )
  const deletions = before.extra + extra.length
  const isMass = deletions > mass.leastDeletions && deletions > mass.share * (before.compared + differences.length)
  return differences.map((difference) => {
    const action = toAction(difference)
    const records = action === 'healed' ? toHealingRecords(difference, answeredAtMs) : []
    return { difference, answeredAtMs, action, records }
  })

  function toAction(difference: Difference): Action {
    const { kind, assignmentId } = difference
    if (kind === 'created' && difference.isTooEarly) return 'listed'
    if (!options.heal) return 'reported'
    if (kind !== 'extra') return 'healed'
    if (!confirmed.has(assignmentId)) return 'waiting'
    return isMass && options.healMassDeletion !== true ? 'held_back' : 'healed'
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

export async function noteCheck(
  client: ClickHouseClient,
  userId: string,
  checkedAtMs: number,
  outcome: 'compared' | 'not_found' | 'not_offered',
  counts: { compared: number; missing: number; stale: number; extra: number; created: number },
): Promise<void> {
  const row = { user_id: userId, checked_at: checkedAtMs, outcome, ...counts }
  await storeWhatCanBe([row], (some) => insertRows(client, 'reconcile_checks', some))
}
