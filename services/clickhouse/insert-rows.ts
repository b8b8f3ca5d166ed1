/** Writes rows: one INSERT, one block, one part. Readers see all of it or nothing. */
import type { ClickHouseClient } from '@clickhouse/client'

/**
 * Rows of one shape: the first one's fields name the columns, as by `toColumns`. They travel as lists of values, half the
 * size of objects. Instants may be epoch ms or the text of a DateTime64.
 */
export async function insertRows(
  client: ClickHouseClient,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const [first, ...others] = names.map(toColumn)
  if (first === undefined) return
  const columns: [string, ...string[]] = [first, ...others]
  const values = rows.map((row) => names.map((name) => row[name]))
  await client.insert({ table: `rollcall.${table}`, columns, values, format: 'JSONCompactEachRow' })
}

/** An object whose fields are named after columns as a row: `completedAtMs` and `completed_at_ms` are the column `completed_at`. */
export function toColumns(values: object): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) row[toColumn(name)] = value
  return row
}

/** The field of a column, as `toColumns` takes it. */
export type FieldOf<
  Column extends string,
  IsInstant extends boolean,
> = `${Camel<Column>}${IsInstant extends true ? 'Ms' : ''}`
type Camel<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text

export const toField = (column: string, isInstant: boolean): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) + (isInstant ? 'Ms' : '')

const columnNames = new Map<string, string>()

function toColumn(name: string): string {
  let column = columnNames.get(name)
  if (column === undefined) {
    column = name.replace(/(Ms|_ms)$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    columnNames.set(name, column)
  }
  return column
}
