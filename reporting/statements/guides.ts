/** Guide assignments in scope as of now, with their outcomes: counted, and one by one. */
import { z } from 'zod'
import { printZoneRules, toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { GuideOutcome } from '../../schemas/metrics/guide-metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toInScope } from './columns-for.ts'
import type { Reader } from '../read/reader.ts'
import { idsOf, instant as at, list, raw, sql, value, where, type Fragment } from '../expressions/sql.ts'
import { printDay } from '../expressions/view-sql.ts'
import { select, type Seen, type SeenByName, type Statement } from '../read/statement.ts'
import { people } from './people.ts'
import { flagSchema, toInstantOrNull } from '../../schemas/instant.ts'

/** The part of a number: all, one of the counts, or the numerator (`on_time`) or denominator (`decided`) of the on-time rate. */
export const guideParts = ['assigned', 'completed', 'overdue', 'on_time', 'decided'] as const
export type GuidePart = (typeof guideParts)[number]

const among = (...outcomes: GuideOutcome[]) => sql`outcome IN ${list('String', outcomes)}`
const isOf: Record<GuidePart, Fragment | null> = {
  assigned: null,
  completed: raw('completed'),
  overdue: among('overdue'),
  on_time: among('on_time'),
  decided: among('on_time', 'late', 'overdue'),
}

/** `under`: as of `InScope`. `guide`: only these; none: all. `moment`: of the people, as of `settle`. */
type GuideArgs = {
  scope: Scope
  under: readonly string[]
  guide: readonly string[]
  moment: Pick<Scope, 'asOf' | 'now'>
}

/** `columns` besides the outcome. */
function inScope({ scope, under, guide, moment }: GuideArgs, seen: Seen, columns: Fragment): Fragment {
  const { team, without = [], user, manager, attribute, includeLeavers, dueEnd, dueZone } = scope
  // Days in the due zone, or instants. Late means after the due day or instant.
  const isInstant = dueEnd === 'instant'
  const keyOf = (of: string) => raw(isInstant ? of : printDay(of, 'zone', "'UTC'"))
  const lateUpTo = at(isInstant ? scope.now : toStartOfDay(dueZone, toLocalDate(dueZone, scope.now)))
  return sql`WITH ${at(moment.asOf)} AS as_of,
        JSONExtract(${value('String', printZoneRules(scope.dueZone))}, 'Array(Array(Int64))') AS zone_rules,
        zone_rules[1] AS zone_starts, zone_rules[2] AS zone_offsets,
        -- When the last full pull began.
        (SELECT max(complete_since) FROM rollcall.pulls WHERE job = 'guide-assignments') AS swept_from
    SELECT
        guide_id,
        ${columns}
        completed,
        multiIf(
            due_date IS NULL, 'no_due_date',
            NOT completed, if(assumeNotNull(due_date) < ${lateUpTo}, 'overdue', 'not_due_yet'),
            completed_at IS NULL, 'no_completion_time',
            ${keyOf('completed_at')} <= ${keyOf('due_date')}, 'on_time',
            'late'
        ) AS outcome
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

/** Counts by outcome. Equal all day where a due date ends with its day. */
export const guides: Statement<GuideArgs> = {
  name: 'guides',
  about: 'ids',
  asNumbers: true,
  isHeld: true,
  text(args, seen) {
    const columns = raw(
      'person.teams AS teams, swept_from IS NOT NULL AND observed_at < assumeNotNull(swept_from) AS unseen,',
    )
    return sql`SELECT guide_id, teams, completed, outcome, unseen, count() AS count
FROM (${inScope(args, seen, columns)})
GROUP BY ALL`
  },
}

/** Titles of the guides that the people seen have. */
export const guideTitles: Statement<unknown> = {
  name: 'guide-titles',
  about: 'ids',
  isHeld: true,
  text(_, seen) {
    const only = seen.only("ifNull(user_id, '')")
    const isTheirs = only && sql`guide_id IN (SELECT guide_id FROM rollcall.guide_assignments WHERE ${only})`
    return sql`SELECT guide_id AS id, ifNull(title, '') AS name FROM rollcall.guides ${where(isTheirs)}`
  },
}

/** One by one those that a number of the page of guides counts: open ones that were due longest ago first. */
export const guideRows: Statement<GuideArgs & { part: GuidePart; offset: number; limit: number }> = {
  name: 'guide-rows',
  about: 'names',
  asNumbers: true,
  text: ({ part, offset, limit, ...args }, seen) => sql`SELECT
    assignment_id, row.guide_id AS guide_id, titles.title AS guide, user_id, user_name, completed, outcome = 'overdue' AS overdue, due_ms AS due_date, completed_ms AS completed_at, count() OVER () AS total
FROM (${inScope(args, seen, rowColumns(seen))}) AS row
LEFT JOIN rollcall.guides AS titles ON titles.guide_id = row.guide_id
${where(isOf[part])}
ORDER BY completed, due_ms = 0, due_ms, assignment_id
LIMIT ${value('UInt32', limit)} OFFSET ${value('UInt32', offset)}`,
}

const rowColumns = (seen: SeenByName) => sql`assignment_id,
        ifNull(given.user_id, '') AS user_id,
        ${seen.name('person.name')} AS user_name,
        ifNull(toUnixTimestamp64Milli(given.due_date), 0) AS due_ms,
        ifNull(toUnixTimestamp64Milli(given.completed_at), 0) AS completed_ms,`

/** Instants: ISO 8601, UTC. */
const instant = z.number().transform(toInstantOrNull)
const text = z
  .string()
  .nullable()
  .transform((of) => of || null)
const rowSchema = z.object({
  assignment_id: z.string(),
  guide_id: z.string(),
  guide: text,
  user_id: text,
  user_name: text,
  completed: flagSchema,
  overdue: flagSchema,
  due_date: instant,
  completed_at: instant,
  total: z.number(),
})

type GuideRowRequest = { guide: readonly string[]; part: GuidePart; offset: number; limit: number }
export type GuideRowPage = { total: number; rows: z.infer<typeof rowSchema>[] }

/** `scope`: as of now. A page behind the last row has a total of 0. */
export async function readGuideRows(
  reader: Reader,
  scope: Scope,
  request: GuideRowRequest,
): Promise<GuideRowPage> {
  const args = { ...(await toInScope(reader, scope)), moment: scope, ...request }
  const rows = rowSchema.array().parse(await select(reader, guideRows, args))
  return { total: rows[0]?.total ?? 0, rows }
}
