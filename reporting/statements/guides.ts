/** Guide assignments in scope as of now, with their facts: counted, and one by one. */
import { z } from 'zod'
import { printZoneRules, toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toScopeArgs } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { idsOf, instant as at, list, raw, sql, value, where, type Fragment } from '../expressions/sql.ts'
import { printDay } from '../expressions/view-sql.ts'
import { select, type Seen, type SeenByName, type Statement } from '../read/statement.ts'
import { people, valuesNow } from './people.ts'
import type { ScopeArgs } from './reporting-lines.ts'
import { flagSchema } from '../../schemas/instant.ts'

/** The part of a number: all, one of the counts, or the numerator (`on_time`) or denominator (`decided`) of the on-time rate. */
export const guideParts = ['assigned', 'completed', 'overdue', 'on_time', 'decided'] as const
export type GuidePart = (typeof guideParts)[number]

const isOf: Record<GuidePart, Fragment | null> = {
  assigned: null,
  completed: raw('completed'),
  overdue: raw('NOT completed AND late'),
  on_time: raw('completed_in_time'),
  decided: raw('due_known AND if(completed, completed_at_known, late)'),
}

/** `guide`: only these; none: all. `moment`: of the people, as of `settle`. */
type GuideArgs = ScopeArgs & { guide: readonly string[]; moment: Pick<Scope, 'asOf' | 'now'> }

const now = ({ moment, scope }: GuideArgs) => sql`${at(moment.asOf)} AS as_of,
    JSONExtract(${value('String', printZoneRules(scope.dueZone))}, 'Array(Array(Int64))') AS zone_rules,
    zone_rules[1] AS zone_starts, zone_rules[2] AS zone_offsets,
    -- When the last full pull began.
    (SELECT max(complete_since) FROM rollcall.pulls WHERE job = 'guide-assignments') AS swept_from`

/** `columns` besides the facts. */
function inScope({ scope, under, guide, moment }: GuideArgs, seen: Seen, columns: Fragment): Fragment {
  const { team, without = [], user, manager, attribute, includeLeavers, dueEnd, dueZone } = scope
  // Days in the due zone, or instants. Late means after the due day or instant.
  const isInstant = dueEnd === 'instant'
  const keyOf = (of: string) => raw(isInstant ? of : printDay(of, 'zone', "'UTC'"))
  const lateUpTo = at(isInstant ? scope.now : toStartOfDay(dueZone, toLocalDate(dueZone, scope.now)))
  return sql`SELECT
            guide_id,
            ${columns}
            person.teams AS teams,
            completed,
            due_date IS NOT NULL AS due_known,
            completed_at IS NOT NULL AS completed_at_known,
            ifNull(due_date < ${lateUpTo}, false) AS late,
            completed AND ifNull(${keyOf('completed_at')} <= ${keyOf('due_date')}, false) AS completed_in_time,
            swept_from IS NOT NULL AND observed_at < assumeNotNull(swept_from) AS unseen
        FROM rollcall.guide_assignments AS given
        LEFT JOIN (${people(moment, ['name', 'active', 'teams', ...(attribute.length > 0 ? (['attributes'] as const) : [])])}) AS person ON person.user_id = ifNull(given.user_id, '')
        ${where(
          raw('NOT archived'),
          raw('NOT deleted'),
          includeLeavers ? null : raw('(empty(person.user_id) OR person.active)'),
          guide.length === 0 ? null : sql`guide_id IN ${list('String', guide)}`,
          user.length === 0 ? null : sql`given.user_id IN ${list('String', user)}`,
          team.length === 0 ? null : sql`hasAny(person.teams, ${list('String', team)})`,
          without.length === 0 ? null : raw('empty(person.teams)'),
          manager.length === 0 ? null : sql`given.user_id IN ${idsOf(under)}`,
          attribute.length === 0 ? null : raw("person.user_id != ''"),
          ...attribute.map(
            ([name, of]) => sql`person.attributes[${value('String', name)}] IN ${list('String', of)}`,
          ),
          seen.only("ifNull(given.user_id, '')"),
        )}`
}

/**
 * Counts by facts, the times of the last pulls, and titles, of one snapshot. Equal all day where a due date ends with its day.
 * `attributes`: those whose values are offered.
 */
export const guides: Statement<GuideArgs & { attributes: readonly string[] }> = {
  name: 'guides',
  about: 'ids',
  asNumbers: true,
  isHeld: true,
  text(args, seen) {
    const persons = seen.only("ifNull(user_id, '')")
    return sql`WITH
    ${now(args)},
    counted AS
    (
        SELECT guide_id, teams, completed, due_known, completed_at_known, completed_in_time, late, unseen, count() AS count
        FROM (${inScope(args, seen, raw(''))})
        GROUP BY ALL
    )
SELECT
    (SELECT groupArray((guide_id, teams, completed, due_known, completed_at_known, completed_in_time, late, unseen, count)) FROM counted) AS facts,
    (
        SELECT groupArray((guide_id, ifNull(title, '')))
        FROM rollcall.guides
        ${where(persons === null ? null : sql`guide_id IN (SELECT guide_id FROM rollcall.guide_assignments WHERE ${persons})`)}
    ) AS guides,
    ${args.attributes.length === 0 ? raw('[]') : sql`(SELECT groupArray((kind, id, name)) FROM (${valuesNow(seen, args.attributes)}))`} AS attributes,
    (SELECT groupArray((job, toUnixTimestamp64Milli(assumeNotNull(last_success_at)))) FROM rollcall.pulls WHERE last_success_at IS NOT NULL) AS pulls,
    (SELECT toBool(count() > 0) FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample`
  },
}

/** One by one those that a number of the page of guides counts: open ones that were due longest ago first. */
export const guideRows: Statement<GuideArgs & { part: GuidePart; offset: number; limit: number }> = {
  name: 'guide-rows',
  about: 'names',
  asNumbers: true,
  text({ part, offset, limit, ...args }, seen) {
    return sql`WITH
    ${now(args)}
SELECT assignment_id, guide_id, titles.title AS guide, user_id, user_name, completed, late, due_ms, completed_ms, total
FROM
(
    SELECT *, count() OVER () AS total
    FROM (${inScope(args, seen, rowColumns(seen))})
    ${where(isOf[part])}
    ORDER BY completed, due_ms = 0, due_ms, assignment_id
    LIMIT ${value('UInt32', limit)} OFFSET ${value('UInt32', offset)}
) AS row
LEFT JOIN (SELECT guide_id, ifNull(title, '') AS title FROM rollcall.guides) AS titles ON titles.guide_id = row.guide_id
ORDER BY completed, due_ms = 0, due_ms, assignment_id`
  },
}

const rowColumns = (seen: SeenByName) => sql`assignment_id,
            ifNull(given.user_id, '') AS user_id,
            ${seen.name('person.name')} AS user_name,
            toUnixTimestamp64Milli(ifNull(due_date, toDateTime64(0, 3, 'UTC'))) AS due_ms,
            toUnixTimestamp64Milli(ifNull(completed_at, toDateTime64(0, 3, 'UTC'))) AS completed_ms,`

export type GuideRowRequest = { guide: readonly string[]; part: GuidePart; offset: number; limit: number }

/** Instants: ISO 8601, UTC. */
type GuideAssignment = {
  assignment_id: string
  guide_id: string
  guide: string | null
  user_id: string | null
  user_name: string | null
  completed: boolean
  /** Not completed, and the due date has passed. */
  overdue: boolean
  due_date: string | null
  completed_at: string | null
}

export type GuideRowPage = { total: number; rows: GuideAssignment[] }

const instant = z.number().transform((ms) => (ms === 0 ? null : new Date(ms).toISOString()))
const text = z.string().transform((value) => value || null)
const rowSchema = z.object({
  assignment_id: z.string(),
  guide_id: z.string(),
  guide: text,
  user_id: text,
  user_name: text,
  completed: flagSchema,
  late: flagSchema,
  due_ms: instant,
  completed_ms: instant,
  total: z.number(),
})

/** `scope`: as of now. A page behind the last row has a total of 0. */
export async function readGuideRows(
  reader: Reader,
  scope: Scope,
  { guide, part, offset, limit }: GuideRowRequest,
): Promise<GuideRowPage> {
  const args = { ...(await toScopeArgs(reader, scope)), moment: scope, guide, part, offset, limit }
  const rows = rowSchema.array().parse(await select(reader, guideRows, args))
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ late, due_ms, completed_ms, total: _total, ...row }) => ({
      ...row,
      overdue: late && !row.completed,
      due_date: due_ms,
      completed_at: completed_ms,
    })),
  }
}
