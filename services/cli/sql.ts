/** Runs the named `.sql` files of the command line. */
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createSqlReader } from '../../schemas/clickhouse/sql-reader.ts'

const readSql = createSqlReader(join(import.meta.dirname, 'sql'))

export async function selectCliRows<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  const answer = await client.query({ query: readSql(name), query_params: params, format: 'JSONEachRow' })
  return answer.json<Row>()
}
