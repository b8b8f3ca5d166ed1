/** The second step of a batch: folds the touched assignments and moves their versions to what the fold says. */
import type { ClickHouseClient } from '@clickhouse/client'
import { endOfTimeMs } from '../../../schemas/metrics/state-bits.ts'
import { foldAssignment, type AssignmentVersion } from '../fold/fold-assignment.ts'
import type { StoredEvent } from '../fold/stored-event.ts'
import { toDateTime } from '../rows.ts'
import { insertDifference, toDifference, toImage, type HeldRow, type ImageRow } from './signed-rows.ts'
import { selectRows } from './sql.ts'

/** A row of `events-of-assignments.sql`: an event, and where the log holds the delivery that brought it. */
export type EventOfAssignment = StoredEvent & { akey: string; assignmentId: string; partition: number; offset: number }

/** How many assignments are folded at once: bounds both the memory and the length of a statement. */
const assignmentsPerStep = 4_000

/**
 * Everything older than this, counted from the newest event of a batch, is looked up apart, so that one late event does not
 * make the look-up of all others read far back.
 */
const lateAfterMs = 3_600_000

/** `touched`: the log keys of a batch with the time of its earliest event. Gives every stored event of these keys. */
export async function storeAssignments(
  client: ClickHouseClient,
  touched: ReadonlyMap<string, number>,
  betweenSteps: () => Promise<void>,
): Promise<EventOfAssignment[]> {
  const seen: EventOfAssignment[] = []
  for (const keys of toSteps(touched)) {
    const events = await selectRows<EventOfAssignment>(client, 'events-of-assignments', {
      keys: toKeyList(keys.keys()),
    })
    seen.push(...events)
    await betweenSteps()
    await moveVersions(client, keys, events)
    await betweenSteps()
  }
  return seen
}

async function moveVersions(
  client: ClickHouseClient,
  touched: ReadonlyMap<string, number>,
  events: readonly EventOfAssignment[],
): Promise<void> {
  const earliestMs = Math.min(...touched.values())
  const target = toTarget(events)
  const keys = [...new Set(events.filter((event) => event.assignmentId !== '').map((event) => event.akey))]
  if (keys.length === 0) return
  const listed = { keys: toKeyList(keys) }
  const closed = await selectRows<HeldRow>(client, 'held-closed-versions', { ...listed, ended_from_ms: earliestMs })
  const open = await selectRows<HeldRow>(client, 'held-open-versions', listed)
  // Closed first: until the second insert, a reader of now still sees the old state, whole.
  await insertDifference(
    client,
    'rollcall.closed_versions',
    toDifference(
      target.closed.filter((version) => version.endMs >= earliestMs).map((version) => version.row),
      closed,
    ),
  )
  await insertDifference(
    client,
    'rollcall.open_versions',
    toDifference(
      target.open.map((version) => version.row),
      open,
    ),
  )
}

/** The text of an Array(UInt64): the client would quote the items, which are text because they exceed what a number holds. */
function toKeyList(keys: Iterable<string>): string {
  return `[${[...keys].join(',')}]`
}

function toTarget(events: readonly EventOfAssignment[]) {
  const byAssignment = Map.groupBy(
    events.filter((event) => event.assignmentId !== ''),
    (event) => event.assignmentId,
  )
  const versions = [...byAssignment].flatMap(([assignmentId, own]) =>
    foldAssignment(own).map((version) => ({
      endMs: version.validToMs,
      row: toVersionRow(own[0]?.akey ?? '', assignmentId, version),
    })),
  )
  return {
    open: versions.filter((version) => version.endMs === endOfTimeMs),
    closed: versions.filter((version) => version.endMs !== endOfTimeMs),
  }
}

function toVersionRow(akey: string, assignmentId: string, version: AssignmentVersion): ImageRow {
  return toImage({
    class: version.class,
    user_id: version.userId,
    akey,
    assignment_id: assignmentId,
    challenge_id: version.challengeId,
    valid_from: toDateTime(version.validFromMs),
    valid_to: toDateTime(version.validToMs),
    life: version.life,
    state: version.state,
    status: version.status,
    created_at: toDateTime(version.createdAtMs),
    updated_at: toDateTime(version.updatedAtMs),
    completed_at: toDateTime(version.completedAtMs),
    due_date: toDateTime(version.dueDateMs),
    first_due_date: toDateTime(version.firstDueDateMs),
    reviewers_due_date: toDateTime(version.reviewersDueDateMs),
    first_viewed_at: toDateTime(version.firstViewedAtMs),
    last_viewed_at: toDateTime(version.lastViewedAtMs),
    life_started_at: toDateTime(version.lifeStartedAtMs),
    first_submitted_at: toDateTime(version.firstSubmittedAtMs),
    first_graded_at: toDateTime(version.firstGradedAtMs),
    grade: version.grade,
    completion_percentage: version.completionPercentage,
    days_overdue_reported: version.daysOverdueReported,
    due_spans: version.dueSpans.map(([opened_ms, closed_ms, due_ms]) => ({ opened_ms, closed_ms, due_ms })),
  })
}

function* toSteps(touched: ReadonlyMap<string, number>): Generator<Map<string, number>> {
  const ordered = [...touched].sort(([, a], [, b]) => b - a)
  const lateBeforeMs = (ordered[0]?.[1] ?? 0) - lateAfterMs
  for (const group of [
    ordered.filter(([, earliestMs]) => earliestMs >= lateBeforeMs),
    ordered.filter(([, earliestMs]) => earliestMs < lateBeforeMs),
  ]) {
    for (let start = 0; start < group.length; start += assignmentsPerStep) {
      yield new Map(group.slice(start, start + assignmentsPerStep))
    }
  }
}
