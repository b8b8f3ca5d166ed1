/**
 * Brings the views to this version's texts. An unchanged view is not touched: replacing it writes a file, and on a full
 * disk the engine has left such files empty, which kept the store from opening again.
 */
import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { selectRows } from '../statements.ts'
import { storeSettings } from '../stored-settings.ts'

export type View = { name: string; statement: string }

export async function replaceViews(
  client: ClickHouseClient,
  views: readonly View[],
  { isAll }: { isAll: boolean },
): Promise<string[]> {
  const recorded = await readRecorded(client)
  const stored = await readStored(client)
  const differing = views.filter(({ name, statement }) => {
    const [checksum, storedHash] = recorded[name] ?? []
    // A missing view has no hash and equals no recorded one.
    return isAll || checksum !== toChecksum(statement) || storedHash !== stored.get(name)
  })
  if (differing.length === 0) return []
  for (const { statement } of differing) await client.command({ query: statement })
  const now = await readStored(client)
  const entries = differing.map(({ name, statement }) => [name, [toChecksum(statement), now.get(name) ?? '']])
  await storeSettings(client, { views: JSON.stringify({ ...recorded, ...Object.fromEntries(entries) }) })
  return differing.map(({ name }) => name)
}

/** By view: the checksum of the statement that created it, and the hash of the view as the engine keeps it. */
type Recorded = Record<string, [checksum: string, storedHash: string]>

async function readRecorded(client: ClickHouseClient): Promise<Recorded> {
  const query = `SELECT argMax(value, set_at) AS views FROM rollcall.settings WHERE name = 'views'`
  const [row] = await selectRows<{ views: string }>(client, query)
  return row === undefined || row.views === '' ? {} : (JSON.parse(row.views) as Recorded)
}

/** The engine's record of every view, without the id that changes with each replacement. */
async function readStored(client: ClickHouseClient): Promise<Map<string, string>> {
  const query = `SELECT name, hex(sipHash128(create_table_query)) AS hash FROM system.tables WHERE database = 'rollcall' AND engine = 'View'`
  const rows = await selectRows<{ name: string; hash: string }>(client, query)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

function toChecksum(statement: string): string {
  return createHash('sha256').update(statement).digest('hex')
}
