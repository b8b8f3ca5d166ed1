import type { ClickHouseClient } from '@clickhouse/client'
import { createSqlReader } from '../../../schemas/clickhouse/sql-reader.ts'

const readSql = createSqlReader(import.meta.dirname)

/** Runs `<name>.sql` of this folder and returns its rows. */
export async function selectRows<Row>(
  client: ClickHouseClient,
  name: string,
  params: Record<string, unknown>,
): Promise<Row[]> {
  const answer = await client.query({ query: readSql(name), query_params: params, format: 'JSONEachRow' })
  return answer.json<Row>()
}

/** An instant as a statement's parameter of type DateTime64(3, 'UTC'). */
export function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('T', ' ').replace('Z', '')
}
