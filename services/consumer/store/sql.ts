/** Reads the named `.sql` files beside this one, once. */
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createSqlReader } from '../../../schemas/clickhouse/sql-reader.ts'

const readText = createSqlReader(join(import.meta.dirname, 'sql'))

/**
 * Runs `<name>.sql` with its parameters and gives its rows by the names of its columns. 64-bit integers come as text where the
 * statement says so. On the wire the names come once and each row as a list of values: a third of the text.
 */
export async function selectRows<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  const answer = await client.query({
    query: readText(name),
    query_params: params,
    format: 'JSONCompactEachRowWithNames',
  })
  const text = await answer.text()
  // Parses in one go, which the client does not. A line break always separates rows: within text it is escaped.
  const [columns = [], ...rows] = JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as [string[]?, ...unknown[][]]
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
    return row as Row
  })
}

/** Runs `<name>.sql` for its effect. */
export async function runStatement(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<void> {
  await client.command({ query: readText(name), query_params: params })
}
