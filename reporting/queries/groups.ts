/** The lines of the rankings of all challenges, teams and managers, and of a manager's direct reports: of one statement each. */
import { z } from 'zod'
import { rankingMask, toFactCount, type FactCount } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Option, RankingRow } from '../metrics/overview.ts'
import { toRankingRow } from '../metrics/to-overview.ts'
import { toReporting } from './reporting-lines.ts'
import { readSeenAndSelf, selectRows, toDateTime, toScopeParams } from './sql.ts'
import { ownReader, type Reader } from '../read/reader.ts'

/** `name`: empty where nobody gave one to the query. */
export type GroupRow = RankingRow & { grade: { n: number; median: number | null } }

/** `people`: those below with an assignment in scope; `reports`: all direct reports. */
export type ManagerRow = GroupRow & { people: number; reports: number }

/** A manager's direct reports: each with their own assignments, and those who lead somebody with everybody below them. */
export type Reports = { people: GroupRow[]; managers: ManagerRow[] }

/** Millions of numbers where there are many people: a schema for each takes longer than the engine. */
const numbers = z.custom<number[]>((value) => Array.isArray(value) && value.every((each) => typeof each === 'number'))

const storedSchema = z.object({
  id: z.string(),
  /** Facts as bits, and how many assignments have them. */
  bits: z.array(z.string().regex(/^\d+$/)),
  counts: numbers,
  grades: numbers,
  grade_counts: numbers,
})
type Stored = z.infer<typeof storedSchema>

async function readStored(reader: Reader, scope: Scope, by: 'challenge' | 'team' | 'person') {
  const params = { ...toScopeParams(scope), ranking_mask: rankingMask }
  const flags = { by_challenge: by === 'challenge', by_team: by === 'team' }
  const name = by === 'person' ? 'groups-by-person' : 'groups'
  return storedSchema.array().parse(await selectRows(reader, name, params, flags))
}

/** One line for each challenge or team with an assignment in scope. */
export async function readGroups(reader: Reader, scope: Scope, by: 'challenge' | 'team'): Promise<GroupRow[]> {
  const stored = await readStored(reader, scope, by)
  return stored.map((row) => toGroupRow(row.id, '', [row]))
}

/** One line for each manager with somebody at most `depth` links below who has an assignment in scope. */
export async function readManagers(reader: Reader, scope: Scope, depth?: number): Promise<ManagerRow[]> {
  const { reporting, people, lines } = await readLed(reader, scope, depth)
  const names = await readPeopleNames(
    reader,
    scope,
    lines.map(({ id }) => id),
  )
  return lines.map(({ id, below }) => toManagerRow(id, below, { reporting, people, names }))
}

async function readLed(reader: Reader, scope: Scope, depth?: number) {
  const [reporting, people, shown] = await Promise.all([
    readReporting(reader, scope),
    readPeople(reader, scope),
    readSeenAndSelf(reader),
  ])
  const lines = reporting.managers
    .filter((id) => id !== '' && (shown?.has(id) ?? true))
    .map((id) => ({ id, below: [...reporting.reportsOf(id, depth)].filter((each) => people.has(each)) }))
    .filter(({ below }) => below.length > 0)
  return { reporting, people, lines }
}

/** The direct reports of a manager, with or without assignments in scope. */
export async function readReports(reader: Reader, scope: Scope, manager: string): Promise<Reports> {
  const reporting = await readReporting(reader, scope)
  const direct = reporting.directReportsOf(manager)
  const leading = direct.filter((id) => reporting.directReportsOf(id).length > 0)
  // In a circle of managers, some people are below a direct report and not below the manager.
  const around = { ...scope, manager: [manager, ...leading] }
  delete around.managerDepth
  const [people, names] = await Promise.all([readPeople(reader, around), readPeopleNames(reader, scope, direct)])
  return {
    people: direct.flatMap((id) => {
      const own = people.get(id)
      return own === undefined ? [] : [toGroupRow(id, names.get(id) ?? '', [own])]
    }),
    managers: leading.map((id) => {
      const below = [...reporting.reportsOf(id)].filter((each) => people.has(each))
      return toManagerRow(id, below, { reporting, people, names })
    }),
  }
}

/** Managers to choose from: those with the most direct reports, in the order of their names. `of`: how many there are. */
export type Leaders = { listed: Option[]; of: number }

/** Managers of people that the reader may see, at the moment of a scope. Nobody for readers who may not ask for single people. */
export async function readLeaders(reader: Reader, scope: Scope, most: number): Promise<Leaders> {
  if (!reader.audience().persons) return { listed: [], of: 0 }
  const [reporting, shown] = await Promise.all([readReporting(reader, scope), readSeenAndSelf(reader)])
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

type OwnReporting = ReturnType<typeof toReporting> & {
  /** Those that the reader may see. */
  directReportsOf(managerId: string): string[]
}

/** The whole organisation is walked: in the past, a person that the reader does not see may stand between two that she sees. */
async function readReporting(reader: Reader, { asOf, now }: Scope): Promise<OwnReporting> {
  const own = ownReader(reader.client)
  const [links, seen] = await Promise.all([
    selectRows(own, 'links', { as_of: toDateTime(asOf), now: toDateTime(now) }),
    reader.seenIds(),
  ])
  const reporting = toReporting(links)
  const ids = seen === null ? null : new Set(seen)
  const directReportsOf = (id: string) =>
    [...reporting.reportsOf(id, 1)].filter((each) => each !== '' && (ids?.has(each) ?? true))
  return { ...reporting, directReportsOf }
}

async function readPeople(reader: Reader, scope: Scope): Promise<Map<string, Stored>> {
  return new Map((await readStored(reader, scope, 'person')).map((row) => [row.id, row]))
}

const namesSchema = z.array(z.object({ id: z.string(), name: z.string() })) satisfies z.ZodType<Option[]>

async function readPeopleNames(reader: Reader, { asOf, now }: Scope, users: string[]): Promise<Map<string, string>> {
  if (users.length === 0) return new Map()
  const rows = await selectRows(reader, 'people-names', { users, as_of: toDateTime(asOf), now: toDateTime(now) })
  return new Map(namesSchema.parse(rows).map(({ id, name }) => [id, name]))
}

type Company = {
  reporting: OwnReporting
  people: ReadonlyMap<string, Stored>
  names: ReadonlyMap<string, string>
}

function toManagerRow(id: string, below: readonly string[], { reporting, people, names }: Company): ManagerRow {
  const rows = below.flatMap((each) => people.get(each) ?? [])
  return {
    ...toGroupRow(id, names.get(id) ?? '', rows),
    people: rows.length,
    reports: reporting.directReportsOf(id).length,
  }
}

function toGroupRow(id: string, name: string, rows: readonly Stored[]): GroupRow {
  const facts = sumUp(rows.map(({ bits, counts }) => [bits, counts]))
  const grades = sumUp(rows.map(({ grades: values, grade_counts }) => [values, grade_counts]))
  const counted = [...facts].map(([bits, n]): FactCount => toFactCount(bits, n))
  return { ...toRankingRow(id, name, counted), grade: toGrade([...grades].filter(([, n]) => n !== 0)) }
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
    let seen = 0
    return sorted.find(([, count]) => (seen += count) > place)?.[0] ?? 0
  }
  return { n, median: (at(Math.floor((n - 1) / 2)) + at(Math.floor(n / 2))) / 2 }
}
