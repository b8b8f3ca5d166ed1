/** Names to join to a statement. Written out, because a view costs 20 ms more than its text. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { asOwn, type Reader } from '../read/reader.ts'
import type { NameOf } from './row.ts'
import { idsOf, instant, join, list, raw, sql, where, type Fragment, type Value } from '../expressions/sql.ts'
import { select, type Seen, type SeenByName, type Statement } from '../read/statement.ts'

type Moment = Pick<Scope, 'now'>

/** Defines `as_of` for a statement. */
export const asOf = (scope: Pick<Scope, 'asOf'>): Fragment => sql`${instant(scope.asOf)} AS as_of`
type Column = 'name' | 'email' | 'teams' | 'attributes' | 'active'

/** When anything about people began, ended or was reported, the newest first. */
const changes: Statement<unknown> = {
  name: 'changes-of-people',
  about: 'nobody',
  asNumbers: true,
  isHeld: true,
  isUsual: true,
  text: () =>
    raw(`SELECT DISTINCT toUnixTimestamp64Milli(at) AS ms
FROM
(
    SELECT arrayJoin([valid_from, valid_to, teams_seen_at, attributes_seen_at]) AS at FROM rollcall.user_versions
    UNION ALL
    SELECT arrayJoin([valid_from, valid_to, stated_at]) FROM rollcall.link_versions
)
WHERE at < '2200-01-01'
ORDER BY at DESC
LIMIT 1000`),
}

/** The same people at a moment that many questions share: nothing about people changes between the two. */
export async function settle<Of extends Pick<Scope, 'asOf' | 'now'>>(
  reader: Reader,
  moment: Of,
): Promise<Of> {
  const moments = z.array(z.object({ ms: z.number() })).parse(await select(reader, changes, {}))
  const now = moments[0]?.ms ?? 0
  const asOf = moments.find(({ ms }) => ms <= moment.asOf)?.ms
  return now > moment.now || asOf === undefined ? moment : { ...moment, asOf, now }
}

/** The people of a moment, one row each. The statement defines `as_of`. */
export function people(
  { now }: Moment,
  columns: readonly Column[],
  condition: Fragment | null = null,
): Fragment {
  return sql`SELECT user_id, ${join(columns.map(toColumn), ', ')}
    FROM rollcall.user_versions AS version
    ${where(raw('valid_from <= as_of'), raw('valid_to > as_of'), condition)}
    GROUP BY user_id, img
    HAVING sum(sign) > 0`

  // Teams and attributes reported only after both the moment and now do not count.
  function toColumn(column: Column): Fragment {
    const any = raw(`any(version.${column})`)
    const of =
      column === 'teams' || column === 'attributes'
        ? sql`if(any(version.${raw(column)}_seen_at) <= greatest(as_of, ${instant(now)}), ${any}, ${raw(column === 'teams' ? '[]' : 'map()')})`
        : any
    return sql`${of} AS ${raw(column)}`
  }
}

/** Empty: none. */
const allowedNames = `(SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'user_attributes')`

/** Attributes as `name=value`: those not allowed any more are not shown, even before they are removed. */
export const allowed = (attributes: string): Fragment =>
  raw(`arrayFilter(
        each -> has(splitByChar(',', ${allowedNames}), splitByChar('=', each)[1]),
        arrayMap((name, of) -> concat(name, '=', of), mapKeys(${attributes}), mapValues(${attributes}))
    )`)

/** Who reports directly to whom. Links stated only after both the moment and now do not count. */
export const links = (
  { now }: Moment,
  ...conditions: (Fragment | null)[]
): Fragment => sql`SELECT manager_id, report_id
    FROM rollcall.link_versions
    ${where(raw('is_there'), raw('valid_from <= as_of'), raw('valid_to > as_of'), sql`stated_at <= greatest(as_of, ${instant(now)})`, ...conditions)}
    GROUP BY manager_id, report_id
    HAVING sum(sign) > 0`

/** The direct managers of people, in the order of their names. `reports`: of which people. Default: of everybody. */
export function managers(scope: Moment, seen: SeenByName, reports?: Value): Fragment {
  const condition = reports === undefined ? null : sql`report_id IN ${reports}`
  return sql`SELECT link.report_id AS report_id, arrayMap(named -> (named.2, named.1), arraySort(groupArray((${seen.name('manager.name')}, link.manager_id)))) AS managers
    FROM (${links(scope, condition, seen.orSelf('manager_id'))}) AS link
    LEFT JOIN (${people(scope, ['name'], reports === undefined ? null : sql`user_id IN (SELECT manager_id FROM rollcall.link_versions WHERE report_id IN ${reports})`)}) AS manager ON manager.user_id = link.manager_id
    GROUP BY report_id`
}

/** Teams and challenges by their latest names. An answer that is held learns of a time that has come with the next stored name. */
export function namesNow(seen: Seen): Fragment {
  // Only those that the people seen ever had: another name may tell something about a stranger.
  const only = seen.only('user_id')
  const ofSeen =
    only === null
      ? null
      : sql`kind = 'team' AND id IN (SELECT arrayJoin(teams) FROM rollcall.user_versions WHERE ${only})
        OR kind = 'challenge' AND id IN (
            SELECT challenge_id FROM rollcall.open_versions WHERE ${only}
            UNION DISTINCT
            SELECT challenge_id FROM rollcall.closed_versions WHERE ${only}
        )`
  return sql`SELECT kind, id, argMax(name, (last_seen, name)) AS name
    FROM rollcall.names
    ${where(raw('counts_from <= now()'), ofSeen)}
    GROUP BY kind, id`
}

export const names: Statement<unknown> = {
  name: 'names',
  about: 'ids',
  isHeld: true,
  isUsual: true,
  text: (_, seen) => namesNow(seen),
}

/** `kind`: `challenge`, `team` or the parameter of an attribute. */
export const namesSchema = z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() }))

/** Names for ids that the reader is shown; `undefined`: none was ever sent. */
export async function readLatestNames(asking: Reader): Promise<NameOf> {
  const rows = await select(asOwn(asking), names, {})
  const latest =
    latestNames.get(rows) ??
    new Map(namesSchema.parse(rows).map((row) => [`${row.kind} ${row.id}`, row.name]))
  latestNames.set(rows, latest)
  return (kind, id) => latest.get(`${kind} ${id}`)
}

/** Names by answers that are held. */
const latestNames = new WeakMap<readonly unknown[], ReadonlyMap<string, string>>()

/** A team without a name goes by its id. */
export const withTeamNames = <Of extends { teams: readonly string[] }>(of: Of, nameOf: NameOf) => ({
  ...of,
  teams: of.teams.map((id): [string, string] => [id, nameOf('team', id) ?? id]),
})

/** The most values of an attribute in a list to choose from. */
export const mostValues = 100

/** Values that these attributes have or had, in rows like those of names: of each the values of most people. */
export const valuesNow = (
  seen: Seen,
  attributes: readonly string[],
): Fragment => sql`SELECT concat('attribute.', attribute) AS kind, id, id AS name
    FROM rollcall.user_versions
    ARRAY JOIN mapKeys(attributes) AS attribute, mapValues(attributes) AS id
    ${where(sql`attribute IN ${list('String', attributes)}`, raw(`id != ''`), seen.only('user_id'))}
    GROUP BY kind, id
    HAVING sum(sign) > 0
    ORDER BY sum(sign) DESC, id
    LIMIT ${raw(String(mostValues))} BY kind`

/** Those of these people whom the reader sees. Readers see their own name, though they are not among their people. */
export const somePeople: Statement<{ at: Pick<Scope, 'asOf' | 'now'>; ids: readonly string[] }> = {
  name: 'some-people',
  about: 'names',
  isHeld: true,
  text: ({ at, ids }, seen) => sql`WITH ${asOf(at)}
SELECT user_id, ${seen.name('name')} AS name, ${seen.name('email')} AS email, teams
FROM (${people(at, ['name', 'email', 'teams'], sql`user_id IN ${idsOf(ids)}`)})
${where(seen.orSelf('user_id'))}`,
}

const somePeopleSchema = z.array(
  z.object({ user_id: z.string(), name: z.string(), email: z.string(), teams: z.array(z.string()) }),
)

/** By id. */
export async function readSomePeople(
  reader: Reader,
  at: Pick<Scope, 'asOf' | 'now'>,
  of: readonly string[],
): Promise<Map<string, z.infer<typeof somePeopleSchema>[number]>> {
  const ids = [...new Set(of)]
  if (ids.length === 0) return new Map()
  const rows = await select(reader, somePeople, { at: await settle(reader, at), ids })
  return new Map(somePeopleSchema.parse(rows).map((person) => [person.user_id, person]))
}

/** Names of these people, and of any challenge; empty where nobody gave one, or the reader does not see it. */
export async function readNamesById(
  reader: Reader,
  at: Pick<Scope, 'asOf' | 'now'>,
  ids: readonly string[],
): Promise<(kind: 'person' | 'challenge', id: string) => string> {
  const [titleOf, known] = await Promise.all([readLatestNames(reader), readSomePeople(reader, at, ids)])
  return (kind, id) => (kind === 'person' ? known.get(id)?.name : titleOf(kind, id)) ?? ''
}
