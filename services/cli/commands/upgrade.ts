/** `rollcall upgrade --check`: the changes of this version to the store, and whether there is a backup. Opens and changes nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hasMigrationsBeforeRelease, isStoreBeforeRelease } from '../../clickhouse/before-release.ts'
import { readMigrations } from '../../clickhouse/directory/upgrade.ts'
import { readRecorded, readSchemaFiles } from '../../clickhouse/migrate.ts'
import { openClickHouseServer, toServerOptions } from '../../clickhouse/open-server.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import type { Config } from '../../config/config.ts'
import type { CommandResult } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import { lastBackupFile, manifestFile, manifestSchema } from './backup.ts'

export async function checkUpgrade(config: Config): Promise<CommandResult> {
  const where = config.clickhouseUrl ?? join(config.dataDir, 'clickhouse')
  const recorded = await readStore(config, where)
  const migrations = readSchemaFiles('migrations').map(({ name }) => name)
  const pending = migrations.filter((name) => !recorded.includes(name))
  const newer = hasMigrationsBeforeRelease(recorded) ? [] : recorded.filter((name) => !migrations.includes(name))
  const isBefore = hasMigrationsBeforeRelease(recorded) || isStoreBeforeRelease(where)
  const backup = config.clickhouseUrl === undefined ? readLastBackup(config.dataDir) : undefined
  const data = { version, store: where, pending, newer, backup: backup ?? null }
  const toResult = (outcome: CommandResult['outcome'], ...lines: string[]): CommandResult => ({ outcome, lines, data })

  if (isBefore)
    return toResult('problems', `${where} was made by a version before 1.0: docs/backup.md says how to go on.`)
  if (newer.length > 0) {
    return toResult(
      'problems',
      `${where} was written by a newer Rollcall (it knows ${newer.join(', ')}), which ${version} refuses.`,
    )
  }
  if (recorded.length === 0)
    return toResult('done', `There is no store in ${where}: Rollcall ${version} will make one.`)
  const changes =
    pending.length === 0
      ? [`${where} has the tables of Rollcall ${version}. Views are replaced where they differ.`]
      : [`Rollcall ${version} will change ${where} at its start:`, ...pending.map((name) => `  ${name}`)]
  if (config.clickhouseUrl !== undefined) {
    return toResult('done', ...changes, 'Backups are those of ClickHouse, which Rollcall does not see: docs/backup.md.')
  }
  if (backup !== undefined) {
    return toResult(
      'done',
      ...changes,
      `The last backup, ${backup.directory}, has everything before ${backup.completeThrough}.`,
    )
  }
  const missing = 'No whole backup is known of. Make one: rollcall backup <directory>.'
  return toResult(pending.length > 0 ? 'problems' : 'done', ...changes, missing)
}

async function readStore(config: Config, directory: string): Promise<string[]> {
  const { clickhouseUrl } = config
  if (clickhouseUrl === undefined) return readMigrations(directory) ?? []
  const clickhouse = await openClickHouseServer(toServerOptions({ ...config, clickhouseUrl }, 'read'))
  try {
    const tables = await selectRows(
      clickhouse.reader,
      `SELECT name FROM system.tables WHERE database = 'rollcall' AND name = 'schema_migrations'`,
    )
    return tables.length === 0 ? [] : [...(await readRecorded(clickhouse.reader)).keys()]
  } finally {
    await clickhouse.close()
  }
}

/** The backup that was made last of this directory, if it is still there and whole. */
function readLastBackup(dataDir: string): { directory: string; completeThrough: string } | undefined {
  const path = join(dataDir, lastBackupFile)
  if (!existsSync(path)) return undefined
  try {
    const { directory } = z.object({ directory: z.string() }).parse(JSON.parse(readFileSync(path, 'utf8')))
    const { completeThrough } = manifestSchema.parse(JSON.parse(readFileSync(join(directory, manifestFile), 'utf8')))
    return { directory, completeThrough }
  } catch {
    return undefined
  }
}
