/**
 * Where the ClickHouse clients come from. Embedded and distributed differ only in which `open*` function a main calls;
 * everything else sees the client of @clickhouse/client and does not know.
 *
 * Rules for every user of a client, because chDB keeps what HTTP forgets: settings go into the SQL (`SETTINGS ...`), never
 * into `clickhouse_settings`, where they would stick to the connection; values go into `query_params`, never into the text. (The
 * embedded client writes them into the text itself, by `write-constants.ts`.)
 */
import type { ClickHouseClient } from '@clickhouse/client'

export type ClickHouse = {
  /** For the consumer and migrations: several statements at once; await one before the next where order matters. */
  writer: ClickHouseClient
  /** For all readers: several queries at once; others wait. */
  reader: ClickHouseClient
  close(): Promise<void>
}
