/**
 * Brings the views to this version's texts. An unchanged view is not touched: replacing it writes a file, and on a full
 * disk the engine has left such files empty, which kept the store from opening again.
 */
import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { storeSettings } from '../stored-settings.ts'

export type View = { name: string; statement: string }

/** Replaces the views that differ, or all. Returns their names. */
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
  for (const { statement } of differing) await client.command({ query: statement })
  await record(client, differing, recorded)
  return differing.map(({ name }) => name)
}

async function record(client: ClickHouseClient, replaced: readonly View[], recorded: Recorded): Promise<void> {
  if (replaced.length === 0) return
  const stored = await readStored(client)
  const entries = replaced.map(({ name, statement }) => [name, [toChecksum(statement), stored.get(name) ?? '']])
  await storeSettings(client, { views: JSON.stringify({ ...recorded, ...Object.fromEntries(entries) }) })
}

/** By view: the checksum of the statement that created it, and the hash of the view as the engine keeps it. */
type Recorded = Record<string, [checksum: string, storedHash: string]>

async function readRecorded(client: ClickHouseClient): Promise<Recorded> {
  const answer = await client.query({
    query: `SELECT argMax(value, set_at) AS views FROM rollcall.settings WHERE name = 'views'`,
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ views: string }>()
  return row === undefined || row.views === '' ? {} : (JSON.parse(row.views) as Recorded)
}

/** The engine's record of every view, without the id that changes with each replacement. */
async function readStored(client: ClickHouseClient): Promise<Map<string, string>> {
  const answer = await client.query({
    query: `SELECT name, hex(sipHash128(create_table_query)) AS hash FROM system.tables WHERE database = 'rollcall' AND engine = 'View'`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ name: string; hash: string }>()
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

function toChecksum(statement: string): string {
  return createHash('sha256').update(statement).digest('hex')
}
