/**
 * Brings the views to this version's texts. An unchanged view is not touched: replacing it writes a file, and on a full
 * disk the engine has left such files empty, which kept the store from opening again.
 */
import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'

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
    const known = recorded.get(name)
    // A missing view has no hash and equals no recorded one.
    return isAll || known?.checksum !== toChecksum(statement) || known.storedHash !== stored.get(name)
  })
  for (const { statement } of differing) await client.command({ query: statement })
  await record(client, differing)
  return differing.map(({ name }) => name)
}

async function record(client: ClickHouseClient, replaced: readonly View[]): Promise<void> {
  if (replaced.length === 0) return
  const stored = await readStored(client)
  const replaced_at = Date.now()
  const values = replaced.map(({ name, statement }) => {
    return { name, checksum: toChecksum(statement), stored_hash: stored.get(name) ?? '', replaced_at }
  })
  await client.insert({ table: 'rollcall.view_texts', values, format: 'JSONEachRow' })
}

type Recorded = { name: string; checksum: string; storedHash: string }

async function readRecorded(client: ClickHouseClient): Promise<Map<string, Recorded>> {
  const answer = await client.query({
    query: 'SELECT name, checksum, stored_hash AS storedHash FROM rollcall.view_texts FINAL',
    format: 'JSONEachRow',
  })
  const rows = await answer.json<Recorded>()
  return new Map(rows.map((row) => [row.name, row]))
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
