/** Settings that views read. */
import type { ClickHouseClient } from '@clickhouse/client'

export type StoredSettings = {
  time_zone: string
  due_zone: string
  due_end: 'end_of_day' | 'instant'
  /** Set once the sample platform has written here, and never removed: every page and export then says so. */
  sample?: 'true'
}

export async function storeSettings(client: ClickHouseClient, settings: StoredSettings): Promise<void> {
  const set_at = Date.now()
  await client.insert({
    table: 'rollcall.settings',
    values: Object.entries(settings).map(([name, value]) => ({ name, value, set_at })),
    format: 'JSONEachRow',
  })
}
