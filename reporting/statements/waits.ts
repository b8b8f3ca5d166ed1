/** The waits under a forecast: those of a scope, and those of comparable assignments in the past. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { WaitCounts } from '../forecast/forecast.ts'
import type { PastWaits } from '../forecast/hazard.ts'
import { inMemory } from './in-memory.ts'
import { findPastWaits, findWaits, waitSchema } from '../columns/waits.ts'
import { toScopeArgs } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { sql } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { asOf, personsOf, versions, type ScopeArgs } from './versions.ts'

/**
 * How long the assignments of a scope took to be completed, or have been open so far, by whole days since they were created. Of those that
 * may still be completed also by the days until they are due, with a few hundred ids for each.
 */
export const waits: Statement<ScopeArgs> = {
  name: 'waits',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text: (args, seen) => sql`WITH
    ${asOf(args.scope)},
    toUnixTimestamp64Milli(as_of) AS as_of_ms
SELECT
    kind,
    days,
    due,
    count() AS n,
    if(kind = 'open', groupArraySorted(500)(id), []) AS assignment_ids
FROM
(
    SELECT
        any(assignment_id) AS id,
        any(bitTest(state, 0)) AS is_completed,
        any(toUnixTimestamp64Milli(completed_at)) AS finished_ms,
        any(toUnixTimestamp64Milli(due_date)) AS due_ms,
        -- Unknown if either time was never sent.
        multiIf(
            is_completed AND (finished_ms = 0 OR any(bitTest(state, 12))), 'completed_unmeasured',
            is_completed, 'completed',
            any(bitTest(state, 1)), 'failed',
            any(bitTest(state, 12)), 'open_unmeasured',
            'open'
        ) AS kind,
        greatest(0, intDiv(if(kind = 'completed', finished_ms, as_of_ms) - any(toUnixTimestamp64Milli(created_at)), 86400000)) AS days,
        if(kind != 'open' OR due_ms = 0, 32767, toInt32(greatest(-20000, least(20000, floor((due_ms - as_of_ms) / 86400000))))) AS due
    FROM (${versions(args, seen, 'assignment_id, user_id, state, created_at, completed_at, due_date, akey, img, sign')})
    GROUP BY akey, img
    HAVING sum(sign) > 0
)
GROUP BY kind, days, due
ORDER BY kind, days, due -- So that one question has one answer.`,
}

/**
 * How long the assignments of a scope took, and when they were due: a column of days for each, of at most 10,000 of them, which are a sample
 * without choice, because keys are hashes. Those whose beginning or end nobody knows are left out.
 */
export const pastWaits: Statement<ScopeArgs> = {
  name: 'past-waits',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text: (args, seen) => sql`WITH
    ${asOf(args.scope)},
    toUnixTimestamp64Milli(as_of) AS as_of_ms
SELECT groupArray(born) AS born, groupArray(ended) AS ended, groupArray(completed) AS completed, groupArray(due) AS due
FROM
(
    SELECT
        toInt32(intDiv(as_of_ms - began_ms, 86400000)) AS born,
        -- What failed ended when it was graded, or handed in. The epoch: not known, so now.
        multiIf(is_completed, toInt32(intDiv(as_of_ms - ended_ms, 86400000)), NOT is_failed, -1, ended_ms = 0, 0, toInt32(intDiv(as_of_ms - ended_ms, 86400000))) AS ended,
        toUInt8(is_completed) AS completed,
        if(due_ms = 0, 32767, toInt32(greatest(-20000, least(20000, floor((due_ms - as_of_ms) / 86400000))))) AS due
    FROM
    (
        SELECT
            akey,
            any(bitTest(state, 0)) AS is_completed,
            any(bitTest(state, 1)) AS is_failed,
            any(bitTest(state, 12)) AS is_assumed,
            any(toUnixTimestamp64Milli(created_at)) AS began_ms,
            any(toUnixTimestamp64Milli(due_date)) AS due_ms,
            any(toUnixTimestamp64Milli(completed_at)) AS completed_ms,
            any(toUnixTimestamp64Milli(if(toUnixTimestamp64Milli(first_graded_at) != 0, first_graded_at, first_submitted_at))) AS judged_ms,
            least(as_of_ms, greatest(if(is_completed, completed_ms, judged_ms), if(judged_ms = 0 AND NOT is_completed, 0, began_ms))) AS ended_ms
        FROM (${versions(args, seen, 'user_id, state, created_at, completed_at, due_date, first_submitted_at, first_graded_at, akey, img, sign')})
        GROUP BY akey, img
        HAVING sum(sign) > 0
    )
    WHERE NOT is_assumed AND NOT (is_completed AND completed_ms = 0)
    ORDER BY akey -- A hash.
    LIMIT 10000
)`,
}

export async function readWaits(reader: Reader, scope: Scope): Promise<WaitCounts> {
  const rows =
    (await inMemory(reader, scope, findWaits)) ??
    waitSchema.array().parse(await select(reader, waits, await toScopeArgs(reader, scope)))
  const sum = (some: typeof rows) => some.reduce((total, { n }) => total + n, 0)
  const of = (...kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind))
  const byDay = (...kinds: string[]) => {
    const counts = new Map<number, number>()
    for (const { days, n } of of(...kinds)) counts.set(days, (counts.get(days) ?? 0) + n)
    return counts
  }
  return {
    assigned: sum(rows),
    completed: sum(of('completed', 'completed_unmeasured')),
    waits: { ended: byDay('completed'), censored: byDay('open', 'failed') },
    open: of('open').map(({ days, due, n, assignment_ids }) => ({
      age: days,
      left: due,
      n,
      assignmentIds: assignment_ids,
    })),
  }
}

const pastSchema = z.object({
  born: z.array(z.number()),
  ended: z.array(z.number()),
  completed: z.array(z.number()),
  due: z.array(z.number()),
})

export async function readPastWaits(reader: Reader, scope: Scope): Promise<PastWaits> {
  const answer = await inMemory(reader, scope, findPastWaits)
  if (answer !== undefined) return answer
  const [row] = await select(reader, pastWaits, await toScopeArgs(reader, scope))
  return pastSchema.parse(row)
}
