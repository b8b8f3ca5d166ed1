/** Settings that views read, and from which texts the views were made. */
import type { ClickHouseClient } from '@clickhouse/client'
import { printZoneRules } from '../../schemas/metrics/calendar.ts'
import { insertRows } from './insert-rows.ts'
import { selectRows, toLaterTime } from './statements.ts'

export type StoredSettings = {
  time_zone: string
  due_zone: string
  due_end: 'end_of_day' | 'instant'
  /** Names, with commas between them. */
  user_attributes: string
  /** Set once the sample platform has written here, and never removed: every page and export then says so. */
  sample?: 'true'
  /** As `printZoneRules`. */
  [zone: `zone ${string}`]: string
  /** Checksum of the texts of the views: unchanged ones are not replaced. */
  views?: string
}

/** The engine's list of zones may be older than Node's, by which pages count. By it views count as pages do. */
export const toZoneSetting = (zone: string) => ({ [`zone ${zone}`]: printZoneRules(zone) })

export async function storeSettings(
  client: ClickHouseClient,
  settings: Partial<StoredSettings>,
): Promise<void> {
  const [stored] = await selectRows<{ latest: number }>(
    client,
    `SELECT toUnixTimestamp64Milli(max(set_at)) AS latest FROM rollcall.settings
      SETTINGS output_format_json_quote_64bit_integers = 0`,
  )
  const set_at = toLaterTime(Date.now(), stored?.latest)
  const rows = Object.entries(settings).map(([name, value]) => ({ name, value, set_at }))
  await insertRows(client, 'settings', rows)
}
