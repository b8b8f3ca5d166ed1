/** How many people a scope has, for deciding which groups may be shown to readers of rounded numbers. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toScopeArgs } from '../statements/reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { idsOf, join, sql, value, when, type Fragment } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { toAttributeKey } from '../scope/filters.ts'
import { people } from '../statements/people.ts'
import { asOf, personsOf, versions, type ScopeArgs } from '../statements/versions.ts'
import { toGroupKey, toShownGroups, type ShownGroups } from './shown-groups.ts'

/**
 * All; by challenge; by the groups they are in, which are teams and values of these attributes; and in both a group and a challenge, where
 * few of them have other challenges, too. `only`: those who have no other challenge. An assignment without a user is nobody's. `except`:
 * people who are not counted. Default: none.
 */
export const groupPeople: Statement<ScopeArgs & { attributes: readonly string[]; except?: readonly string[] }> = {
  name: 'group-people',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text: (args, seen) => sql`WITH
    ${asOf(args.scope)},
    entries AS
    (
        SELECT
            toString(user_id) AS person,
            toString(challenge_id) AS challenge,
            toUInt8(sumIf(sign, bitAnd(state, 8200) = 8200) > 0) AS has_grade,
            toUInt8(sumIf(sign, bitTest(state, 3)) > 0) AS is_graded,
            toUInt8(sumIf(sign, bitTest(state, 0)) > 0) AS is_completed,
            toUInt8(sumIf(sign, class = 1) > 0) AS is_waiting
        FROM (${versions(args, seen, 'challenge_id, user_id, state, class, sign')})
        GROUP BY person, challenge
        HAVING sum(sign) > 0 AND person != ''${when(args.except !== undefined, sql` AND person NOT IN ${idsOf(args.except ?? [])}`)}
    ),
    people AS
    (
        SELECT
            person,
            groupArray((challenge, has_grade, is_graded, is_completed, is_waiting)) AS own,
            max(has_grade) AS any_grade, max(is_graded) AS any_graded, max(is_completed) AS any_completed, max(is_waiting) AS any_waiting
        FROM entries
        GROUP BY person
    ),
    lines AS
    (
        SELECT ${groupsOf(args.attributes)} AS groups, arrayJoin(arrayConcat(
            [
                ('all', CAST([], 'Array(String)'), toUInt8(0), any_grade, any_graded, any_completed, any_waiting),
                ('groups', groups, toUInt8(0), any_grade, any_graded, any_completed, any_waiting)
            ],
            arrayMap(entry -> ('challenge', [entry.1], toUInt8(length(own) = 1), entry.2, entry.3, entry.4, entry.5), own),
            arrayFlatten(arrayMap(
                group -> arrayMap(entry -> ('both', [group, entry.1], toUInt8(length(own) = 1), entry.2, entry.3, entry.4, entry.5), own),
                groups
            ))
        )) AS line
        FROM people
        LEFT JOIN (${people(args.scope, args.attributes.length === 0 ? ['teams'] : ['teams', 'attributes'])}) AS known ON known.user_id = people.person
    )
SELECT
    line.1 AS kind, line.2 AS ids, count() AS people, sum(line.3) AS only,
    sum(line.4) AS grades, sum(line.5) AS graded, sum(line.6) AS completed, sum(line.7) AS waiting
FROM lines
GROUP BY kind, ids
HAVING kind != 'both' OR (people >= 5 AND people - only < 5)`,
}

/** By their keys, as `toGroupKey` writes them. */
const groupsOf = (attributes: readonly string[]): Fragment =>
  sql`arrayConcat(arrayMap(team -> concat('team=', team), arraySort(if(empty(known.teams), [''], known.teams))), [${join(
    attributes.map((name) => {
      const prefix = value('String', toGroupKey(toAttributeKey(name), ''))
      return sql`concat(${prefix}, known.attributes[${value('String', name)}])`
    }),
    ', ',
  )}])`

const rowsSchema = z.array(
  z.object({
    kind: z.enum(['all', 'challenge', 'groups', 'both']),
    ids: z.array(z.string()),
    people: z.number(),
    only: z.number(),
    grades: z.number(),
    graded: z.number(),
    completed: z.number(),
    waiting: z.number(),
  }),
)

/** At the moment of a scope; its filters do not count. */
export async function readShownGroups(reader: Reader, scope: Scope, except?: readonly string[]): Promise<ShownGroups> {
  const everybody = await toScopeArgs(reader, { ...scope, team: [], challenge: [], attribute: [] })
  const args = { ...everybody, attributes: reader.attributes ?? [], ...(except && { except }) }
  return toShownGroups(rowsSchema.parse(await select(reader, groupPeople, args)))
}
