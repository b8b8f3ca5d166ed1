/** The versions in scope at a moment, still signed, as a table to select from: every statement over assignments begins here. */
import { isOfPeople } from '../../schemas/metrics/expression.ts'
import type { Condition } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { idsOf, instant, list, raw, sql, value, where, type Fragment } from '../expressions/sql.ts'
import type { Seen } from '../read/statement.ts'
import { toCondition, toSql, type PeopleSql } from '../expressions/store-sql.ts'
import { whereOf } from '../scope/filters.ts'

export type ScopeArgs = {
  scope: Scope
  /** The people under the managers of the scope, where it has some. */
  under: readonly string[]
}

export const asOf = (scope: Pick<Scope, 'asOf'>): Fragment => sql`${instant(scope.asOf)} AS as_of`

/**
 * `columns`: what is read of a version, the person among them; those that another condition names need not be. `more`: further conditions. Each table has its conditions
 * beside it, so that its sort order helps even if the planner does not move conditions down. People are asked for once, outside.
 */
export function versions(
  { scope, under }: ScopeArgs,
  seen: Seen,
  columns: string,
  ...more: readonly (Fragment | null)[]
): Fragment {
  const { ofPeople, ofFacts, ofRow } = conditionsOf(scope)
  const ofFact = ofFacts.map((each) => toCondition(each, contextOf(scope)))
  const conditions = [...ofRow, ...ofFact, ...more, seen.only('user_id')]
  return sql`SELECT ${raw(columns)}
        FROM
        (
            SELECT ${raw(columns)}
            FROM rollcall.open_versions
            ${where(raw('class != 3'), raw('valid_from <= as_of'), ...conditions)}
            UNION ALL
            SELECT ${raw(columns)}
            FROM rollcall.closed_versions
            ${where(raw('valid_to > as_of'), raw('class != 3'), raw('valid_from <= as_of'), ...conditions)}
        )
        ${where(...ofPeople('as_of', under))}`
}

/** The conditions of a scope on a version. `at`: a name of the moment that the statement defines. */
export function conditionsOf(scope: Scope): {
  ofRow: Fragment[]
  ofFacts: Condition[]
  ofPeople(at: string, under: readonly string[]): Fragment[]
} {
  const conditions = whereOf(scope)
  const rows = conditions.flatMap((each) => ('row' in each ? [each.row] : []))
  return {
    ofRow: rows.filter((row) => !isOfPeople(row)).map((row) => toSql(row, contextOf(scope))),
    ofFacts: conditions.flatMap((each) => ('fact' in each ? [each.fact] : [])),
    ofPeople: (at, under) =>
      rows.filter(isOfPeople).map((row) => toSql(row, { ...contextOf(scope), people: peopleOf(scope, under, at) })),
  }
}

const contextOf = (scope: Scope) => ({ moment: scope, dueSoonDays: scope.dueSoonDays, filters: true })

/** The people of rows that are not collapsed first: a person's rows with equal images are equal in every column. */
function peopleOf(scope: Scope, under: readonly string[], at: string): PeopleSql {
  return {
    left: leavers(at),
    // Teams and attributes reported only after both the moment and now do not count.
    teams: sql`
            SELECT user_id FROM rollcall.user_versions
            WHERE ${then(at)} AND hasAny(teams, ${list('String', scope.team)}) AND user_id != ''
                AND (active OR ${value('Bool', scope.includeLeavers)}) AND teams_seen_at <= greatest(${raw(at)}, ${instant(scope.now)})
            ${collapsed}`,
    any_team: sql`
            SELECT user_id FROM rollcall.user_versions
            WHERE ${then(at)} AND notEmpty(teams) AND user_id != '' AND teams_seen_at <= greatest(${raw(at)}, ${instant(scope.now)})
            ${collapsed}`,
    under: idsOf(under),
    attributes: sql`
            SELECT user_id FROM rollcall.user_versions
            ${where(
              then(at),
              ...scope.attribute.map(
                ([name, values]) => sql`attributes[${value('String', name)}] IN ${list('String', values)}`,
              ),
              sql`user_id != '' AND attributes_seen_at <= greatest(${raw(at)}, ${instant(scope.now)})`,
            )}
            ${collapsed}`,
  }
}

const then = (at: string) => raw(`valid_from <= ${at} AND valid_to > ${at}`)
const collapsed = raw('GROUP BY user_id, img HAVING sum(sign) > 0')

/** Who had left at a moment. */
const leavers = (at: string): Fragment => sql`
            SELECT user_id FROM rollcall.user_versions WHERE ${then(at)} AND NOT active
            ${collapsed}`
