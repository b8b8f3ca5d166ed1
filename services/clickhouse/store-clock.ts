import type { ClickHouseClient } from '@clickhouse/client'
import { selectRows } from './statements.ts'

/** The store's clock, epoch ms. Completeness counts by this one; another machine's, or a process's own, may be hours off. */
export async function readStoreClock(client: ClickHouseClient): Promise<number> {
  const query = `SELECT toUnixTimestamp64Milli(now64(3, 'UTC')) AS now SETTINGS output_format_json_quote_64bit_integers = 0`
  const [row] = await selectRows<{ now: number }>(client, query, {})
  return row?.now ?? 0
}
