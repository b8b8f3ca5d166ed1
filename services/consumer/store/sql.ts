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

/** Runs `<name>.sql` for what it does. */
export async function runStatement(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<void> {
  await client.command({ query: readText(name), query_params: params })
}

async function select<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
  format: 'JSONEachRow' | 'JSONCompactEachRow',
): Promise<Row[]> {
  const answer = await client.query({ query: readText(name), query_params: params, format })
  const text = await answer.text()
  // In one go, which the client's own reading is not. A line break is always one between rows: within text it is escaped.
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[]
}

function readText(name: string): string {
  let text = texts.get(name)
  if (text === undefined)
    texts.set(name, (text = readFileSync(join(import.meta.dirname, 'sql', `${name}.sql`), 'utf8')))
  return text
}
