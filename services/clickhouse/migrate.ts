/**
 * Brings a ClickHouse to the schema of this version: the numbered files of `schemas/clickhouse/migrations`, tables by room,
 * applied once, in order, forward only. Views live in `schemas/clickhouse/views` and are replaced when they differ.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { StartError } from '../config/start-error.ts'
import { refuseDatabaseBeforeRelease } from './before-release.ts'
import { StoreError } from './errors/store-error.ts'
import { insertRows } from './insert-rows.ts'
import { type ServerDdlOptions, toServerDdl } from './server-ddl.ts'
import { selectRows } from './statements.ts'
import { storeSettings } from './stored-settings.ts'

/** Which migrations have been applied. Made before the first of them. */
export const migrationsTable = `CREATE TABLE IF NOT EXISTS rollcall.schema_migrations
(
    name String COMMENT 'File name of the migration',
    checksum String COMMENT 'SHA-256 of its text',
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When it was applied'
)
ENGINE = MergeTree
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Which migrations have been applied'`

const schemaDirectory = join(import.meta.dirname, '../../schemas/clickhouse')

export type SchemaFile = { name: string; sql: string; checksum: string }

/** The `.sql` files of a folder under `schemas/clickhouse`, in the order of their names. */
export function readSchemaFiles(folder: 'migrations' | 'views' | 'users'): SchemaFile[] {
  const directory = join(schemaDirectory, folder)
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(directory, file), 'utf8')
      return { name: file, sql, checksum: hash('sha256', sql) }
    })
}

/** The views, by the names that the engine knows. */
export function readViews(): { name: string; sql: string }[] {
  return readSchemaFiles('views').map(({ name, sql }) => ({ name: name.replace(/^\d+_(.*)\.sql$/, '$1'), sql }))
}

export type MigrationResult = {
  applied: string[]
  replaced: string[]
}

export type MigrateOptions = {
  /**
   * For ClickHouse servers: views use the rights of the migrating user, and with a cluster name everything is replicated.
   */
  server?: ServerDdlOptions | undefined
}

/**
 * Applies the missing migrations. Safe to run again, also after a crash between a statement and its record: running a
 * migration twice changes nothing (`IF NOT EXISTS`). So several processes may migrate at once; at worst a migration is
 * recorded twice. Throws a `StartError` where this version cannot continue from the stored schema.
 */
export async function migrate(client: ClickHouseClient, { server }: MigrateOptions = {}): Promise<MigrationResult> {
  const toDdl = (sql: string) => (server === undefined ? sql : toServerDdl(sql, server))
  const run = (sql: string) => client.command({ query: toDdl(sql) })
  if (server?.cluster !== undefined) await checkCluster(client, server.cluster)
  await run('CREATE DATABASE IF NOT EXISTS rollcall ENGINE = Atomic')
  await run(migrationsTable)
  const recorded = await readRecorded(client)
  refuseDatabaseBeforeRelease(recorded.keys())
  const migrations = readSchemaFiles('migrations')
  const names = new Set(migrations.map((file) => file.name))
  const newer = [...recorded.keys()].filter((name) => !names.has(name))
  if (newer.length > 0) {
    throw new StartError(
      `The data was written by a newer Rollcall (it knows ${newer.join(', ')}); start that version or a later one.`,
    )
  }
  const applied: string[] = []
  for (const file of migrations) {
    const checksum = recorded.get(file.name)
    if (checksum === undefined) {
      for (const statement of toStatements(file.sql)) await run(statement)
      await insertRows(client, 'schema_migrations', [{ name: file.name, checksum: file.checksum }])
      applied.push(file.name)
    } else if (checksum !== file.checksum) {
      throw new StartError(
        `Migration ${file.name} was changed after it was applied to this data. Restore the file and put the change into a new migration.`,
      )
    }
  }
  const views = readViews().map(({ name, sql }) => ({ name, statement: toDdl(sql) }))
  // A view keeps its tables' types from when it was created.
  return { applied, replaced: await replaceViews(client, views, { isAll: applied.length > 0 }) }
}

/** A semicolon at the end of a line ends a statement. */
export function toStatements(sql: string): string[] {
  return sql
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

export async function readRecorded(client: ClickHouseClient): Promise<Map<string, string>> {
  const query = 'SELECT name, checksum FROM rollcall.schema_migrations'
  const rows = await selectRows<{ name: string; checksum: string }>(client, query)
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** Whether a cluster fits the replicated tables: one shard, replicas with distinct names. */
async function checkCluster(client: ClickHouseClient, cluster: string): Promise<void> {
  const query = 'SELECT DISTINCT shard_num FROM system.clusters WHERE cluster = {cluster:String}'
  const shards = (await selectRows(client, query, { cluster })).length
  if (shards === 0) {
    throw new StartError(
      `ClickHouse knows no cluster ${cluster}. Set CLICKHOUSE_CLUSTER to one of system.clusters, or leave it out.`,
    )
  }
  if (shards > 1) {
    throw new StartError(
      `The cluster ${cluster} has ${shards} shards; Rollcall needs one, in which every replica holds everything. ` +
        'Define a cluster with all nodes as replicas of one shard; docs/clickhouse.md shows one.',
    )
  }
  const named = await selectRows(client, `SELECT macro FROM system.macros WHERE macro = 'replica'`)
  if (named.length === 0)
    throw new StartError(
      `The replicas of ${cluster} need a macro "replica", different on each; docs/clickhouse.md shows how.`,
    )
}

// Brings the views to this version's texts. An unchanged view is not touched: replacing it writes a file, and on a full
// disk the engine has left such files empty, which kept the store from opening again.

type View = { name: string; statement: string }

export async function replaceViews(
  client: ClickHouseClient,
  views: readonly View[],
  { isAll }: { isAll: boolean },
): Promise<string[]> {
  const recorded = await readRecordedViews(client)
  const stored = await readStoredViews(client)
  const differing = views.filter(({ name, statement }) => {
    const [checksum, storedHash] = recorded[name] ?? []
    // A missing view has no hash and equals no recorded one.
    return isAll || checksum !== toChecksum(statement) || storedHash !== stored.get(name)
  })
  if (differing.length === 0) return []
  for (const { statement } of differing) await client.command({ query: statement })
  const now = await readStoredViews(client)
  const entries = differing.map(({ name, statement }) => [name, [toChecksum(statement), now.get(name) ?? '']])
  await storeSettings(client, { views: JSON.stringify({ ...recorded, ...Object.fromEntries(entries) }) })
  return differing.map(({ name }) => name)
}

/** By view: the checksum of the statement that created it, and the hash of the view as the engine keeps it. */
type Recorded = Record<string, [checksum: string, storedHash: string]>

async function readRecordedViews(client: ClickHouseClient): Promise<Recorded> {
  const query = `SELECT argMax(value, set_at) AS views FROM rollcall.settings WHERE name = 'views'`
  const [row] = await selectRows<{ views: string }>(client, query)
  return row === undefined || row.views === '' ? {} : (JSON.parse(row.views) as Recorded)
}

/** The engine's record of every view, without the id that changes with each replacement. */
async function readStoredViews(client: ClickHouseClient): Promise<Map<string, string>> {
  const query = `SELECT name, hex(sipHash128(create_table_query)) AS hash FROM system.tables WHERE database = 'rollcall' AND engine = 'View'`
  const rows = await selectRows<{ name: string; hash: string }>(client, query)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

function toChecksum(statement: string): string {
  return hash('sha256', statement)
}

const askIntervalMs = 500

/**
 * For processes that only read: they wait until the consumer has created the schema.
 * Throws a `StartError` when the schema does not appear in time. A newer schema is fine: migrations only add.
 */
export async function waitForSchema(client: ClickHouseClient, timeoutMs: number): Promise<void> {
  const names = readSchemaFiles('migrations').map((file) => file.name)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const applied = await readApplied(client)
    if (names.every((name) => applied.has(name))) return
    if (performance.now() > deadline) {
      throw new StartError(
        `The store has not the schema of this version yet (${names.length - applied.size} migrations are missing). Start the consumer of this version: it brings it there.`,
      )
    }
    await pause(askIntervalMs)
  }
}

async function readApplied(client: ClickHouseClient): Promise<Set<string>> {
  try {
    return new Set((await readRecorded(client)).keys())
  } catch (error) {
    if (error instanceof StoreError && ['UNKNOWN_TABLE', 'UNKNOWN_DATABASE'].includes(error.type)) return new Set()
    throw error
  }
}
