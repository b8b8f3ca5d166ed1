/** Reads the named `.sql` files beside this one, once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'

const texts = new Map<string, string>()

/** Runs `<name>.sql` with its parameters and gives its rows. 64-bit integers come as text. */
export async function selectRows<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  let query = texts.get(name)
  if (query === undefined) texts.set(name, (query = readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')))
  const answer = await client.query({ query, query_params: params, format: 'JSONEachRow' })
  return answer.json<Row>()
}
