/** The lines of the rankings of all challenges, teams and managers, and of a manager's direct reports: of one statement each. */
import { z } from 'zod'
import { toMiddle } from '../../schemas/metrics/metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Option, RankingRow } from '../metrics/overview.ts'
import { toRankingRow } from '../metrics/to-overview.ts'
import { inMemory } from './in-memory.ts'
import { readLines, readSets, type GroupBy, type Sets } from '../columns/rankings.ts'
import { toAttribute } from '../scope/filters.ts'
import { readNames } from './page-frame.ts'
import { readReporting, toScopeArgs, type Reporting } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { raw, sql, value, when, type Fragment } from '../expressions/sql.ts'
import { readSeenAndSelf, select, type Seen, type Statement } from '../read/statement.ts'
import { rankingBitsOf } from './bits.ts'
import { people } from './people.ts'
import { asOf, personsOf, versions, type ScopeArgs } from './versions.ts'

/** `name`: empty where nobody gave one to the query. */
export type GroupRow = RankingRow & { grade: { n: number; median: number | null } }

/** `people`: those below with an assignment in scope; `reports`: all direct reports. */
export type ManagerRow = GroupRow & { people: number; reports: number }

/** A manager's direct reports: each with their own assignments, and those who lead somebody with everybody below them. */
export type Reports = { people: GroupRow[]; managers: ManagerRow[] }

/** Millions of numbers where there are many people: a schema for each takes longer than the engine. */
const numbers = z.custom<number[]>((value) => Array.isArray(value) && value.every((each) => typeof each === 'number'))

const storedSchema = z.object({
  /** Of each of which the assignments are: of all teams of some people. None: of no team. */
  ids: z.array(z.string()),
  /** Facts as bits, and how many assignments have them. */
  bits: z.array(z.string().regex(/^\d+$/)),
  counts: numbers,
  grades: numbers,
  grade_counts: numbers,
})
type Stored = z.infer<typeof storedSchema>

/** `withGrades`: whether grades are wanted; else there are none, and fewer groups. */
type GroupArgs = ScopeArgs & { withGrades: boolean }

/** Versions with the facts of a ranking, and the final grade or `nan`; `columns` besides. */
function graded({ withGrades, ...args }: GroupArgs, seen: Seen, columns: string): Fragment {
  const grade = raw(withGrades ? 'if(bitAnd(state, 8200) = 8200, assumeNotNull(grade), nan)' : 'nan')
  const read = `${columns}, class, state, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, grade, sign`
  return sql`SELECT ${raw(columns)}, ${rankingBitsOf(args.scope)} AS bits, ${grade} AS final_grade, sign
        FROM (${versions(args, seen, read)})`
}

/**
 * How many assignments of each challenge, list of teams or value of an attribute have which facts, and their grades. By team, each row is
 * joined with the teams of its person before anything is counted: people share few lists of teams, so there are few groups. A value is a
 * list of one. What rows are counted by has a fixed width, and no row carries its list: with both it takes a third more.
 */
export const groups: Statement<GroupArgs & { by: 'challenge' | GroupBy }> = {
  name: 'groups',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text({ by, ...args }, seen) {
    const isOfPeople = by !== 'challenge'
    const name = toAttribute(by)
    const list = name === undefined ? raw('teams') : sql`[attributes[${value('String', name)}]]`
    const sets = sql`sets AS
    (
        SELECT user_id, ${list} AS own, cityHash64(own) AS own_hash FROM (${people(args.scope, [name === undefined ? 'teams' : 'attributes'])})
    ),`
    const id = raw(isOfPeople ? 'person.own_hash' : 'stored.challenge_id')
    return sql`WITH
    ${asOf(args.scope)},
    ${when(isOfPeople, sets)}
    entries AS
    (
        SELECT cityHash64(${id}, stored.bits) AS line, any(${id}) AS id, any(stored.bits) AS bits, final_grade, sum(sign) AS m
        FROM (${graded(args, seen, isOfPeople ? 'user_id' : 'user_id, challenge_id')}) AS stored
        ${when(isOfPeople, raw('LEFT JOIN sets AS person ON person.user_id = stored.user_id'))}
        GROUP BY line, final_grade
        HAVING m != 0
    ),
    lines AS
    (
        SELECT id, groupArray(toString(bits)) AS bits, groupArray(n) AS counts, arrayFlatten(groupArray(values)) AS grades, arrayFlatten(groupArray(copies)) AS grade_counts
        FROM
        (
            SELECT
                any(id) AS id,
                any(entries.bits) AS bits,
                sum(m) AS n,
                groupArrayIf(final_grade, NOT isNaN(final_grade)) AS values,
                groupArrayIf(m, NOT isNaN(final_grade)) AS copies
            FROM entries
            GROUP BY line
        )
        GROUP BY id
    )
SELECT ${raw(isOfPeople ? 'own' : '[toString(id)]')} AS ids, bits, counts, grades, grade_counts
FROM lines
${when(isOfPeople, raw('LEFT JOIN (SELECT own_hash, any(own) AS own FROM sets GROUP BY own_hash) AS named ON named.own_hash = lines.id'))}`
  },
}

/** The same by person. There are about as many groups as assignments, so grades are listed with their signs, and the caller adds them up. */
export const groupsByPerson: Statement<GroupArgs> = {
  name: 'groups-by-person',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text: (args, seen) => sql`WITH
    ${asOf(args.scope)}
SELECT [toString(user_id)] AS ids, groupArray(toString(bits)) AS bits, groupArray(n) AS counts, arrayFlatten(groupArray(values)) AS grades, arrayFlatten(groupArray(copies)) AS grade_counts
FROM
(
    SELECT
        user_id,
        bits,
        sum(sign) AS n,
        groupArrayIf(final_grade, NOT isNaN(final_grade)) AS values,
        groupArrayIf(sign, NOT isNaN(final_grade)) AS copies
    FROM (${graded(args, seen, 'user_id')})
    GROUP BY user_id, bits
    HAVING n != 0
)
GROUP BY user_id`,
}

/** `whole`: of all assignments in scope, each once. */
export type Groups = { lines: GroupRow[]; whole: RankingRow }

/** One line for each challenge, team or value of an attribute with an assignment in scope. `withGrades`: whether its grade is wanted. */
export async function readGroups(
  reader: Reader,
  scope: Scope,
  by: 'challenge' | GroupBy,
  withGrades = true,
): Promise<Groups> {
  const stored = await readStored(reader, scope, by, withGrades)
  const byId = new Map<string, Stored[]>()
  for (const row of stored) {
    for (const id of row.ids.length === 0 ? [''] : row.ids) {
      const rows = byId.get(id)
      if (rows === undefined) byId.set(id, [row])
      else rows.push(row)
    }
  }
  return {
    lines: [...byId].map(([id, rows]) => toGroupRow(id, '', rows)),
    whole: toRankingRow('', '', sumUp(stored.map(({ bits, counts }) => [bits, counts]))),
  }
}

/** A team has a row for each list of teams that it is in. */
async function readStored(
  reader: Reader,
  scope: Scope,
  by: 'challenge' | 'person' | GroupBy,
  withGrades: boolean,
): Promise<Stored[]> {
  const fromMemory = await inMemory(reader, scope, (memory, inScope) => readLines(memory, inScope, by, withGrades))
  if (fromMemory !== undefined) return fromMemory.map((line) => ({ ...line, grade_counts: line.grades.map(() => 1) }))
  const args = { ...(await toScopeArgs(reader, scope)), withGrades }
  const rows = by === 'person' ? select(reader, groupsByPerson, args) : select(reader, groups, { ...args, by })
  return storedSchema.array().parse(await rows)
}

/** One line for each manager with somebody at most `depth` links below who has an assignment in scope. */
export async function readManagers(
  reader: Reader,
  scope: Scope,
  depth?: number,
  withGrades = true,
): Promise<ManagerRow[]> {
  const [reporting, shown] = await Promise.all([readOwnReporting(reader, scope), readSeenAndSelf(reader)])
  const led = new Map<string, Led[]>()
  for (const line of await readLed(reader, scope, { reporting, depth, withGrades })) {
    for (const id of line.ids) {
      const lines = led.get(id)
      if (lines === undefined) led.set(id, [line])
      else lines.push(line)
    }
  }
  const ids = reporting.managers.filter((id) => id !== '' && led.has(id) && (shown?.has(id) ?? true))
  const names = await readPeopleNames(reader, scope, ids)
  return ids.map((id) => toManagerRow(id, led.get(id)!, { reporting, names }))
}

/** Some people with assignments in scope: their managers, and their work. */
type Led = Omit<Stored, 'ids'> & { ids: readonly string[]; people: number }

type LedRequest = { reporting: Reporting; depth?: number | undefined; withGrades: boolean }

async function readLed(reader: Reader, scope: Scope, request: LedRequest): Promise<Led[]> {
  const fromMemory = await inMemory(reader, scope, (memory, inScope) =>
    readSets(memory, inScope, toManagerSets(memory.users.names, request), request.withGrades),
  )
  if (fromMemory !== undefined) return fromMemory.map((line) => ({ ...line, grade_counts: line.grades.map(() => 1) }))
  const people = await readStored(reader, scope, 'person', request.withGrades)
  const { sets, ofUser } = toManagerSets(
    people.map(({ ids }) => ids[0]!),
    request,
  )
  return people.flatMap((person, index) =>
    ofUser[index]! < 0 ? [] : [{ ...person, ids: sets[ofUser[index]!]!, people: 1 }],
  )
}

/** People with the same direct managers have the same ones above, but for somebody who is among them in a circle. */
function toManagerSets(users: readonly string[], { reporting, depth = Infinity }: LedRequest): Sets {
  const sets: string[][] = []
  const setOf = new Map<string, number>()
  const add = (ids: Iterable<string>) => sets.push([...ids]) - 1
  const toSet = (user: string): number => {
    const direct = reporting.managersOf(user)
    if (direct.length === 0) return -1
    const key = JSON.stringify(direct)
    let set = setOf.get(key)
    if (set === undefined) {
      set = add(new Set(direct.flatMap((id) => [id, ...reporting.managersAbove(id, depth - 1)])))
      setOf.set(key, set)
    }
    return sets[set]!.includes(user) ? add(sets[set]!.filter((id) => id !== user)) : set
  }
  return { ofUser: Int32Array.from(users, toSet), sets }
}

/**
 * The direct reports of a manager, with or without assignments in scope. None of a manager that the reader may not see, who may lead some
 * of the reader’s people.
 */
export async function readReports(reader: Reader, scope: Scope, manager: string): Promise<Reports> {
  const [reporting, shown] = await Promise.all([readOwnReporting(reader, scope), readSeenAndSelf(reader)])
  if (shown?.has(manager) === false) return { people: [], managers: [] }
  const direct = reporting.directReportsOf(manager)
  const leading = direct.filter((id) => reporting.directReportsOf(id).length > 0)
  // In a circle of managers, some people are below a direct report and not below the manager.
  const around = { ...scope, manager: [manager, ...leading] }
  delete around.managerDepth
  const [people, names] = await Promise.all([readPeople(reader, around), readPeopleNames(reader, scope, direct)])
  return {
    people: direct.flatMap((id) => {
      const line = people.get(id)
      return line === undefined ? [] : [toGroupRow(id, names.get(id) ?? '', [line])]
    }),
    managers: leading.map((id) => {
      const below = [...reporting.reportsOf(id)].flatMap((each) => people.get(each) ?? [])
      const led = below.map((person) => ({ ...person, people: 1 }))
      return toManagerRow(id, led, { reporting, names })
    }),
  }
}

/** Managers to choose from: those with the most direct reports, in the order of their names. `of`: how many there are. */
export type Leaders = { listed: Option[]; of: number }

/** Managers of people that the reader may see, at the moment of a scope. Nobody for readers who may not ask for single people. */
export async function readLeaders(reader: Reader, scope: Scope, most: number): Promise<Leaders> {
  if (!reader.audience().persons) return { listed: [], of: 0 }
  const [reporting, shown] = await Promise.all([readOwnReporting(reader, scope), readSeenAndSelf(reader)])
  const leading = reporting.managers
    .filter((id) => id !== '' && (shown?.has(id) ?? true))
    .map((id) => ({ id, reports: reporting.directReportsOf(id).length }))
    .filter(({ reports }) => reports > 0)
  const chosen = leading.toSorted((a, b) => b.reports - a.reports || (a.id < b.id ? -1 : 1)).slice(0, most)
  const names = await readPeopleNames(
    reader,
    scope,
    chosen.map(({ id }) => id),
  )
  const listed = chosen.map(({ id }) => ({ id, name: names.get(id) ?? '' }))
  return { listed: listed.sort((a, b) => (a.name || a.id).localeCompare(b.name || b.id, 'en')), of: leading.length }
}

type OwnReporting = Reporting & {
  /** Those that the reader may see. */
  directReportsOf(managerId: string): string[]
}

async function readOwnReporting(reader: Reader, scope: Scope): Promise<OwnReporting> {
  const [reporting, seenIds] = await Promise.all([readReporting(reader, scope), reader.seenIds()])
  const ids = seenIds === null ? null : new Set(seenIds)
  const directReportsOf = (id: string) =>
    [...reporting.reportsOf(id, 1)].filter((each) => each !== '' && (ids?.has(each) ?? true))
  return { ...reporting, directReportsOf }
}

async function readPeople(reader: Reader, scope: Scope): Promise<Map<string, Stored>> {
  const stored = await readStored(reader, scope, 'person', true)
  return new Map(stored.map((row) => [row.ids[0]!, row]))
}

async function readPeopleNames(reader: Reader, scope: Scope, users: string[]): Promise<Map<string, string>> {
  return new Map((await readNames(reader, scope, users)).map(({ id, name }) => [id, name]))
}

type Company = { reporting: OwnReporting; names: ReadonlyMap<string, string> }

function toManagerRow(id: string, led: readonly Omit<Led, 'ids'>[], { reporting, names }: Company): ManagerRow {
  return {
    ...toGroupRow(id, names.get(id) ?? '', led),
    people: led.reduce((sum, { people }) => sum + people, 0),
    reports: reporting.directReportsOf(id).length,
  }
}

function toGroupRow(id: string, name: string, rows: readonly Omit<Stored, 'ids'>[]): GroupRow {
  const facts = sumUp(rows.map(({ bits, counts }) => [bits, counts]))
  const grades = sumUp(rows.map(({ grades: values, grade_counts }) => [values, grade_counts]))
  return { ...toRankingRow(id, name, facts), grade: toGrade([...grades].filter(([, n]) => n !== 0)) }
}

/** How often each value comes, in all rows. */
function sumUp<Value>(
  rows: readonly (readonly [values: readonly Value[], counts: readonly number[]])[],
): Map<Value, number> {
  const sums = new Map<Value, number>()
  for (const [values, counts] of rows) {
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as Value
      sums.set(value, (sums.get(value) ?? 0) + (counts[index] ?? 0))
    }
  }
  return sums
}

/** The median of an even number is the mean of the middle two. */
function toGrade(grades: readonly (readonly [grade: number, n: number])[]): GroupRow['grade'] {
  const n = grades.reduce((sum, [, count]) => sum + count, 0)
  if (n === 0) return { n, median: null }
  const sorted = grades.toSorted(([a], [b]) => a - b)
  const at = (place: number) => {
    let n = 0
    return sorted.find(([, count]) => (n += count) > place)?.[0] ?? 0
  }
  return { n, median: toMiddle(at(Math.floor((n - 1) / 2)), at(Math.floor(n / 2))) }
}
