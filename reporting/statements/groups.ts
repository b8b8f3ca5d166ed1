/** The lines of the rankings of all challenges, teams and managers. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { RankingRow } from '../metrics/overview.ts'
import type { Line } from '../metrics/blocks.ts'
import { byId, toRankingRow } from '../metrics/to-overview.ts'
import { columnsFor } from './columns-for.ts'
import { readLines, type GroupBy, type Sets } from '../columns/rankings.ts'
import { readNames } from './page-frame.ts'
import { readReporting, type Reporting } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { sort } from '../columns/sort.ts'
import { toMedian } from '../columns/tally.ts'
import { readSeenAndSelf } from '../read/statement.ts'

/** `name`: empty where nobody gave one to the query. */
export type GroupRow = RankingRow & { grade: { n: number; median: number | null } }

/** `people`: those below with an assignment in scope; `reports`: all direct reports. */
export type ManagerRow = GroupRow & { people: number; reports: number }

/** One line for each challenge, team or value of an attribute with an assignment in scope. `withGrades`: whether its grade is wanted. */
export async function readGroups(
  reader: Reader,
  scope: Scope,
  by: 'challenge' | GroupBy,
  withGrades = true,
): Promise<GroupRow[]> {
  // A team has a line for each list of teams that it is in.
  const stored = await columnsFor(reader, scope, (memory, inScope) =>
    readLines(memory, inScope, by, withGrades),
  )
  return [...byId(stored)].map(([id, lines]) => toGroupRow(id, '', lines))
}

/** One line for each manager with somebody at most `depth` links below who has an assignment in scope. */
export async function readManagers(
  reader: Reader,
  scope: Scope,
  depth?: number,
  withGrades = true,
): Promise<ManagerRow[]> {
  const [reporting, shown] = await Promise.all([readOwnReporting(reader, scope), readSeenAndSelf(reader)])
  const lines = await columnsFor(reader, scope, (memory, inScope) =>
    readLines(memory, inScope, toManagerSets(memory.ids.user_id.names, reporting, depth), withGrades),
  )
  const led = byId(lines)
  const ids = reporting.managers.filter((id) => id !== '' && led.has(id) && (shown?.has(id) ?? true))
  const names = await readNames(reader, scope, ids)
  return ids.map((id) => ({
    ...toGroupRow(id, names.get(id) ?? '', led.get(id)!),
    people: led.get(id)!.reduce((sum, { people }) => sum + people, 0),
    reports: reporting.directReportsOf(id).length,
  }))
}

/** People with the same direct managers have the same ones above, but for somebody who is among them in a circle. */
function toManagerSets(users: readonly string[], reporting: Reporting, depth = Infinity): Sets {
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

/** With the direct reports that the reader may see. */
export async function readOwnReporting(reader: Reader, scope: Scope) {
  const [reporting, seenIds] = await Promise.all([readReporting(reader, scope), reader.seenIds()])
  const ids = seenIds === null ? null : new Set(seenIds)
  const directReportsOf = (id: string) =>
    [...reporting.reportsOf(id, 1)].filter((each) => each !== '' && (ids?.has(each) ?? true))
  return { ...reporting, directReportsOf }
}

function toGroupRow(id: string, name: string, lines: readonly Line[]): GroupRow {
  const grades = lines.flatMap((line) => line.grades)
  const grade = { n: grades.length, median: toMedian(sort(Float64Array.from(grades))) }
  return { ...toRankingRow(id, name, lines), grade }
}
