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
import { version } from '../runtime/version.ts'
import { StoreError } from './errors/store-error.ts'
import { insertRows } from './insert-rows.ts'
import { type ServerDdlOptions, toServerDdl } from './server-ddl.ts'
import { selectRows } from './statements.ts'
import { storeSettings } from './stored-settings.ts'
import { retryStep } from './errors/retries.ts'

/** Which migrations have been applied. Made before the first of them. */
export const migrationsTable = `CREATE TABLE IF NOT EXISTS rollcall.schema_migrations
(
    name String COMMENT 'File name of the migration',
    checksum String COMMENT 'SHA-256 of its text',
    version String COMMENT 'Version of Rollcall that applied it',
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
  return readSchemaFiles('views').map(({ name, sql }) => ({
    name: name.replace(/^\d+_(.*)\.sql$/, '$1'),
    sql,
  }))
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
 * recorded twice. Throws a `StartError` before it writes anything where the store has other table files.
 */
export async function migrate(
  client: ClickHouseClient,
  { server }: MigrateOptions = {},
): Promise<MigrationResult> {
  const toDdl = (sql: string) => (server === undefined ? sql : toServerDdl(sql, server))
  // Each statement may be done twice.
  const run = (sql: string) => retryStep(() => client.command({ query: toDdl(sql) }))
  const files = readSchemaFiles('migrations')
  const recorded = await readRecorded(client)
  refuseOther(recorded, files)
  if (server?.cluster !== undefined) await checkCluster(client, server.cluster)
  await run('CREATE DATABASE IF NOT EXISTS rollcall ENGINE = Atomic')
  await run(migrationsTable)
  const applied = files.filter(({ name }) => recorded.every((row) => row.name !== name))
  for (const { name, sql, checksum } of applied) {
    for (const statement of toStatements(sql)) await run(statement)
    await insertRows(client, 'schema_migrations', [{ name, checksum, version }])
  }
  const views = readViews().map(({ name, sql }) => ({ name, statement: toDdl(sql) }))
  // A view keeps its tables' types from when it was created.
  return {
    applied: applied.map(({ name }) => name),
    replaced: await replaceViews(client, views, { isAll: applied.length > 0 }),
  }
}

/** A semicolon at the end of a line ends a statement. */
export function toStatements(sql: string): string[] {
  return sql
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

export type Recorded = { name: string; checksum: string; version?: string }

/** The table files that made this store. Empty where there is none yet. */
export async function readRecorded(client: ClickHouseClient): Promise<Recorded[]> {
  try {
    return await selectRows<Recorded>(client, 'SELECT * FROM rollcall.schema_migrations')
  } catch (error) {
    if (error instanceof StoreError && ['UNKNOWN_TABLE', 'UNKNOWN_DATABASE'].includes(error.type)) return []
    throw error
  }
}

/** A store continues only in a version that has every one of its table files, byte for byte. */
export function refuseOther(recorded: readonly Recorded[], files: readonly SchemaFile[]): void {
  const other = recorded.find(
    (row) => !files.some((file) => file.name === row.name && file.checksum === row.checksum),
  )
  if (other === undefined) return
  const made = other.version === undefined ? 'an unreleased version of Rollcall' : `Rollcall ${other.version}`
  throw new StartError(
    `The store was made by ${made}, with a table file ${other.name} that this Rollcall ${version} does not have. Nothing was changed. ` +
      'Start that version, or restore a backup that this one knows.',
  )
}

/** A cluster must fit the replicated tables: one shard, replicas with distinct names. */
async function checkCluster(client: ClickHouseClient, cluster: string): Promise<void> {
  const query = `SELECT toUInt32(uniqExact(shard_num)) AS shards, (SELECT count() > 0 FROM system.macros WHERE macro = 'replica') AS named
    FROM system.clusters WHERE cluster = {cluster:String}`
  const [row] = await selectRows<{ shards: number; named: 0 | 1 }>(client, query, { cluster })
  if (row?.shards === 1 && row.named === 1) return
  throw new StartError(
    `ClickHouse knows no cluster ${cluster} of one shard whose replicas have a macro "replica", different on each; ` +
      'docs/clickhouse.md shows one. Set CLICKHOUSE_CLUSTER to such a cluster, or leave it out.',
  )
}

/**
 * Brings the views to this version's texts. If nothing differs, no view is touched: replacing it writes a file, and on a full disk the
 * engine has left such files empty, which kept the store from opening again.
 */
async function replaceViews(
  client: ClickHouseClient,
  views: readonly { name: string; statement: string }[],
  { isAll }: { isAll: boolean },
): Promise<string[]> {
  const checksum = hash('sha256', views.map(({ statement }) => statement).join(';'))
  const [row] = await selectRows<{ last: string; there: string[] }>(
    client,
    `SELECT (SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'views') AS last,
      groupArray(name) AS there FROM system.tables WHERE database = 'rollcall' AND engine = 'View'`,
  )
  const isSame = row?.last === checksum && views.every(({ name }) => row.there.includes(name))
  if (!isAll && isSame) return []
  for (const { statement } of views) await retryStep(() => client.command({ query: statement }))
  await storeSettings(client, { views: checksum })
  return views.map(({ name }) => name)
}

const askIntervalMs = 500

/**
 * For processes that only read: they wait until the consumer has created the schema.
 * Throws a `StartError` when the schema does not appear in time, or is another one. Files of a later version are fine: they only add.
 */
export async function waitForSchema(client: ClickHouseClient, timeoutMs: number): Promise<void> {
  const files = readSchemaFiles('migrations')
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const recorded = await readRecorded(client)
    refuseOther(
      recorded.filter((row) => files.some(({ name }) => name === row.name)),
      files,
    )
    const missing = files.filter(({ name }) => recorded.every((row) => row.name !== name))
    if (missing.length === 0) return
    if (performance.now() > deadline) {
      throw new StartError(
        `The store does not have the schema of this version yet (${missing.length} table files are missing). Start the consumer of this version: it creates it.`,
      )
    }
    await pause(askIntervalMs)
  }
}
