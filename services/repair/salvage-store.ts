/**
 * Takes the rows of a store that the engine cannot open, or that it cannot read all of, into a new one: whole parts as they are,
 * by links to the same files, and of a damaged part every row outside of its damaged granules. The old store stays as it is.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { migrate } from '../clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import type { Progress } from '../runtime/control/command.ts'
import { linkAll } from '../runtime/files/link-all.ts'
import { covers, findTables, listParts, type KnownTable, type OldPart } from './tables-on-disk.ts'
import { selectRows } from '../clickhouse/statements.ts'

export type SalvagedTable = {
  table: string
  rows: number
  lost: number
  /** Names of the parts of which the engine could not even say how many rows they have. */
  lostParts: string[]
}

export type SalvageOptions = {
  /** The old store's directory. */
  from: string
  /** Writes the new one, in which the tables are there and empty. */
  client: ClickHouseClient
  onTable: (table: string, done: number, total: number) => void
}

/** Rows that are copied at once from a damaged part; halved until what cannot be read stands alone. */
const rowsPerCopy = 100_000
/** About a granule: rows that are compressed together are lost together. */
const smallestCopy = 256

/** The table that says how the schema came about: a new store has its own. */
const ownTables = new Set(['schema_migrations'])

/** Merged parts of tables with `enable_block_number_column` have it. */
const mergedColumn = '_block_number'

type Table = KnownTable & { path: string; columns: string[] }

export type Salvaged = {
  tables: SalvagedTable[]
  /** As of `FoundTables`. */
  byColumns: Set<string>
  /** Directories of rows that were not taken over, because no table of this version has such columns. */
  unknown: string[]
}

export async function salvageStore({ from, client, onTable }: SalvageOptions): Promise<Salvaged> {
  const tables = await readTables(client)
  const { directories, byColumns, unknown } = findTables(from, tables)
  const salvaged: SalvagedTable[] = []
  for (const [index, table] of tables.entries()) {
    if (ownTables.has(table.table)) continue
    onTable(table.table, index, tables.length)
    const directory = directories.get(table.table)
    if (directory !== undefined) salvaged.push(await salvageTable(client, table, directory))
  }
  return { tables: salvaged, byColumns, unknown }
}

/** Makes a new store in `directory` of what can be taken from the one in `from`; `use` goes on with it. */
export async function buildStore<Result>(
  from: string,
  directory: string,
  report: (progress: Progress) => void,
  use: (client: ClickHouseClient, salvaged: Salvaged) => Promise<Result>,
): Promise<Result> {
  // Whatever an earlier try has left.
  rmSync(directory, { recursive: true, force: true })
  const { writer: client, close } = await openEmbeddedClickHouse({ directory })
  try {
    await migrate(client)
    const onTable = (table: string, done: number, total: number) =>
      report({ step: `Taking over ${table}`, done, total })
    return await use(client, await salvageStore({ from, client, onTable }))
  } finally {
    await close()
  }
}

async function salvageTable(client: ClickHouseClient, table: Table, directory: string): Promise<SalvagedTable> {
  const { table: name } = table
  const result: SalvagedTable = { table: name, rows: 0, lost: 0, lostParts: [] }
  await client.command({ query: `SYSTEM STOP MERGES rollcall.${name}` })
  const accepted: OldPart[] = []
  const refused: OldPart[] = []
  for (const part of listParts(directory)) {
    if (accepted.some((whole) => covers(whole, part))) continue
    const isTaken = await attachPart(client, table, part)
    // Parts that were merged into a refused one may still be there, and come next.
    const replaced = refused.find((whole) => covers(whole, part))
    if (isTaken && replaced !== undefined) result.lost -= Math.min(part.rows ?? 0, replaced.rows ?? 0)
    if (isTaken) accepted.push(part)
    else if (replaced === undefined) {
      refused.push(part)
      result.lost += part.rows ?? 0
      if (part.rows === undefined) result.lostParts.push(part.name)
    }
  }
  for (const part of await findDamagedParts(client, name)) result.lost += await copyAround(client, table, part)
  const [counted] = await selectRows<{ rows: string }>(client, `SELECT count() AS rows FROM rollcall.${name}`)
  result.rows = Number(counted?.rows ?? 0)
  await client.command({ query: `SYSTEM START MERGES rollcall.${name}` })
  return result
}

async function readTables(client: ClickHouseClient): Promise<Table[]> {
  const columns = await selectRows<{ table: string; name: string; kind: string }>(
    client,
    `SELECT table, name, default_kind AS kind FROM system.columns WHERE database = 'rollcall'`,
  )
  const tables = await selectRows<{ table: string; path: string }>(
    client,
    `SELECT name AS table, data_paths[1] AS path FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree' ORDER BY name`,
  )
  return tables.map(({ table, path }) => {
    const ofTable = columns.filter((column) => column.table === table)
    const ofKinds = (...kinds: string[]) => ofTable.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
    return {
      table,
      path,
      columns: ofKinds('', 'DEFAULT'),
      stored: [...ofKinds('', 'DEFAULT', 'MATERIALIZED'), mergedColumn],
    }
  })
}

/** `false`: the engine does not take it. */
async function attachPart(client: ClickHouseClient, table: Table, { path: source, name }: OldPart): Promise<boolean> {
  const target = join(table.path, 'detached', name)
  // Without its list of checksums the engine makes a new one; compressed data has its own checksums.
  for (const withChecksums of [true, false]) {
    rmSync(target, { recursive: true, force: true })
    // Parts never change, so both stores can have the same files.
    linkAll(source, target)
    if (!withChecksums) rmSync(join(target, 'checksums.txt'), { force: true })
    try {
      await client.command({ query: `ALTER TABLE rollcall.${table.table} ATTACH PART '${name}'` })
      return true
    } catch {
      // Broken in a way that only a copy around the damage could mend, and there is nothing to copy from.
    }
  }
  rmSync(target, { recursive: true, force: true })
  return false
}

/** Reads all of them: of a byte that has changed only the block that it is in can tell. */
async function findDamagedParts(client: ClickHouseClient, table: string): Promise<{ part: string; rows: number }[]> {
  const parts = await selectRows<{ part: string; rows: string }>(
    client,
    `SELECT name AS part, rows FROM system.parts WHERE database = 'rollcall' AND table = '${table}' AND active`,
  )
  const damaged: { part: string; rows: number }[] = []
  for (const { part, rows } of parts) {
    const isWhole = await client
      .command({
        query: `SELECT * FROM rollcall.${table} WHERE _part = '${part}' SETTINGS asterisk_include_materialized_columns = 1 FORMAT Null`,
      })
      .then(
        () => true,
        () => false,
      )
    if (!isWhole) damaged.push({ part, rows: Number(rows) })
  }
  return damaged
}

/** Puts what can be read of a part in its place. Returns how many rows cannot. */
async function copyAround(
  client: ClickHouseClient,
  { table, columns }: Table,
  { part, rows }: { part: string; rows: number },
): Promise<number> {
  const aside = `salvaged_${table}`
  await client.command({ query: `CREATE OR REPLACE TABLE rollcall.${aside} AS rollcall.${table}` })
  await client.command({ query: `SYSTEM STOP MERGES rollcall.${aside}` })
  const names = columns.map((name) => `\`${name}\``).join(', ')
  let lost = 0
  async function copy(from: number, to: number): Promise<void> {
    try {
      await client.command({
        query: `INSERT INTO rollcall.${aside} (${names}) SELECT ${names} FROM rollcall.${table}
          WHERE _part = '${part}' AND _part_offset >= ${from} AND _part_offset < ${to}
          SETTINGS optimize_on_insert = 0, max_threads = 1`,
      })
    } catch {
      if (to - from <= smallestCopy) {
        lost += to - from
        return
      }
      const middle = from + Math.floor((to - from) / 2)
      await copy(from, middle)
      await copy(middle, to)
    }
  }
  for (let from = 0; from < rows; from += rowsPerCopy) await copy(from, Math.min(from + rowsPerCopy, rows))
  await client.command({ query: `ALTER TABLE rollcall.${table} DROP PART '${part}'` })
  await client.command({
    query: `INSERT INTO rollcall.${table} (${names}) SELECT ${names} FROM rollcall.${aside} SETTINGS optimize_on_insert = 0`,
  })
  await client.command({ query: `DROP TABLE rollcall.${aside} SYNC` })
  return lost
}
