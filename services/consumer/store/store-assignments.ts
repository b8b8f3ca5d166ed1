/** The second step of a batch: folds the touched assignments and updates their versions. */
import type { ClickHouseClient } from '@clickhouse/client'
import { endOfTimeMs } from '../../../schemas/metrics/state-bits.ts'
import { foldAssignment, type AssignmentVersion } from '../fold/fold-assignment.ts'
import { storedFieldsInSql, type StoredEvent } from '../fold/stored-event.ts'
import { inParallel } from '../in-parallel.ts'
import { insertRows, toColumns } from '../../clickhouse/insert-rows.ts'
import { toDifference, toImage, type HeldRow, type ImageRow } from './signed-rows.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { select } from '../statements.ts'

/** A row of `eventsOfAssignments`: an event, and where the log holds the delivery that brought it. */
type EventOfAssignment = StoredEvent & {
  assignmentKey: string
  assignmentId: string
  partition: number
  offset: number
}

/** Every event of the touched keys, and with it which deliveries of them are in the table. No order: the fold sorts. */
const eventsOfAssignments = `-- name: events-of-assignments
SELECT
    toString(akey) AS assignmentKey,
    assignment_id AS assignmentId,
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(event_time) AS eventTimeMs,
    type_number AS typeNumber,
    challenge_id AS challengeId,
    user_id AS userId,
    flags_known AS flagsKnown,
    flags_true AS flagsTrue,
    ${storedFieldsInSql},
    log_partition AS partition,
    log_offset AS offset
FROM rollcall.event_rows
WHERE akey IN {keys:Array(UInt64)}
SETTINGS output_format_json_quote_64bit_integers = 0`

/** The log position of the delivery that brought an event. */
export type StoredDelivery = { eventId: string; partition: number; offset: number }

/** How many assignments are folded at once: bounds memory and the length of a statement. */
const assignmentsPerStep = 5_000

/**
 * Events this much older than the newest of a batch are looked up separately, so that one late event does not slow the
 * look-up of all others.
 */
const lateAfterMs = 3_600_000

/**
 * `touched`: the log keys of a batch with the time of its earliest event. Returns where the events of these keys came
 * from.
 */
export async function storeAssignments(
  client: ClickHouseClient,
  touched: ReadonlyMap<string, number>,
  betweenSteps: () => Promise<void>,
): Promise<StoredDelivery[]> {
  // While one step is folded, the engine looks up or writes another. Their keys are disjoint. More than two would fill the memory.
  const rest = toSteps(touched)
  const stored: StoredDelivery[][] = []
  const work = async () => {
    for (const step of rest) stored.push(await storeStep(step))
  }
  await inParallel(work(), work())
  return stored.flat()

  async function storeStep(step: ReadonlyMap<string, number>): Promise<StoredDelivery[]> {
    // Keys exceed the whole numbers of JavaScript; as text the client would quote them.
    const listed = { keys: Array.from(step.keys(), BigInt) }
    const earliestMs = Math.min(...step.values())
    const [events, closed, open] = await inParallel(
      selectRows<EventOfAssignment>(client, eventsOfAssignments, listed),
      select<HeldRow>(client, 'held-closed-versions', { ...listed, ended_from_ms: earliestMs }),
      select<HeldRow>(client, 'held-open-versions', listed),
    )
    const target = toTarget(events, earliestMs)
    await betweenSteps()
    // Closed first: until the second insert, a reader of now still sees the complete old state.
    await insertRows(client, 'closed_versions', toDifference(target.closed, closed))
    await betweenSteps()
    await insertRows(client, 'open_versions', toDifference(target.open, open))
    await betweenSteps()
    return events.map(({ eventId, partition, offset }) => ({ eventId, partition, offset }))
  }
}

/** The target rows: of the open versions, and of those that ended at or after an instant. */
function toTarget(
  events: readonly EventOfAssignment[],
  endedFromMs: number,
): { open: ImageRow[]; closed: ImageRow[] } {
  const target = { open: [] as ImageRow[], closed: [] as ImageRow[] }
  const byAssignment = Map.groupBy(events, (event) => event.assignmentId)
  byAssignment.delete('')
  for (const [assignmentId, events] of byAssignment) {
    for (const version of foldAssignment(events)) {
      if (version.validToMs < endedFromMs) continue
      const rows = version.validToMs === endOfTimeMs ? target.open : target.closed
      rows.push(toVersionRow(events[0]?.assignmentKey ?? '', assignmentId, version))
    }
  }
  return target
}

function toVersionRow(akey: string, assignment_id: string, version: AssignmentVersion): ImageRow {
  const { userId: user_id, class: kind, dueSpans, ...rest } = version
  const due_spans = dueSpans.map(([opened_ms, closed_ms, due_ms]) => ({ opened_ms, closed_ms, due_ms }))
  return toImage({ class: kind, user_id, akey, assignment_id, ...toColumns(rest), due_spans })
}

function* toSteps(touched: ReadonlyMap<string, number>): Generator<Map<string, number>> {
  const ordered = [...touched].sort(([, a], [, b]) => b - a)
  const lateBeforeMs = (ordered[0]?.[1] ?? 0) - lateAfterMs
  const { late = [], onTime = [] } = Object.groupBy(ordered, ([, earliestMs]) =>
    earliestMs < lateBeforeMs ? 'late' : 'onTime',
  )
  for (const group of [onTime, late]) {
    for (let start = 0; start < group.length; start += assignmentsPerStep) {
      yield new Map(group.slice(start, start + assignmentsPerStep))
    }
  }
}
