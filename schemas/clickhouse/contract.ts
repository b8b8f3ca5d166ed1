import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The views that analysts build on: stable, commented, changed only with a note in the changelog. */
export const contractViews = [
  'assignments',
  'assignments_as_of',
  'assignments_all',
  'assignments_all_as_of',
  'events',
  'users',
  'people',
  'reporting_lines',
  'guides',
  'guide_assignments',
  'guide_orders',
  'pulls',
  'failed_events',
  'ledger',
  'ledger_total',
] as const

/** Called with parameters, like a function. */
export const viewsWithParameters: readonly string[] = ['assignments_as_of', 'assignments_all_as_of']

// Which tables a view reads, directly or through other views: as the files of the views say.

const folder = join(import.meta.dirname, 'views')
const tablesByName = new Map<string, readonly string[]>()

/** The tables of a view; a table is its own. */
export function tablesOf(name: string): readonly string[] {
  const tables = tablesByName.get(name) ?? findTables(name)
  tablesByName.set(name, tables)
  return tables
}

function findTables(name: string): string[] {
  const file = readdirSync(folder).find((each) => each.replace(/^\d+_/, '') === `${name}.sql`)
  if (file === undefined) return [name]
  const code = readFileSync(join(folder, file), 'utf8').replaceAll(/--.*/g, '')
  return [
    ...new Set(
      namesIn(code)
        .filter((each) => each !== name)
        .flatMap(tablesOf),
    ),
  ]
}

/** The tables and views that a text names. A word in quotes is none. */
export function namesIn(sql: string): string[] {
  return [...sql.matchAll(/(?<!')\brollcall\.(\w+)/g)].flatMap(([, name = '']) => name)
}
