/** Reads the named `.sql` files beside this one, once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'

const texts = new Map<string, string>()

/** Runs `<name>.sql` with its parameters and gives its rows. 64-bit integers come as text where the statement says so. */
export function selectRows<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  return select(client, name, params, 'JSONEachRow')
}

/** The same with each row as the list of its values: a third of the text, for what is read by the ten thousands. */
export function selectValues<Values extends unknown[]>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Values[]> {
  return select(client, name, params, 'JSONCompactEachRow')
}

async function select<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
  format: 'JSONEachRow' | 'JSONCompactEachRow',
): Promise<Row[]> {
  let query = texts.get(name)
  if (query === undefined) texts.set(name, (query = readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')))
  const answer = await client.query({ query, query_params: params, format })
  const text = await answer.text()
  // In one go, which the client's own reading is not. A line break is always one between rows: within text it is escaped.
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[]
}
