/** Runs the named `.sql` files of the command line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'

export async function selectCliRows<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  const query = readFileSync(join(import.meta.dirname, 'sql', `${name}.sql`), 'utf8')
  const answer = await client.query({ query, query_params: params, format: 'JSONEachRow' })
  return answer.json<Row>()
}
