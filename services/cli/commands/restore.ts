/** `rollcall restore`: puts a backup into DATA_DIR. A log that is still there is newer than the backup's, and stays. */
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hasMigrationsBeforeRelease } from '../../clickhouse/before-release.ts'
import { readSchemaFiles } from '../../clickhouse/migrate.ts'
import { buildStore, type Salvaged } from '../../repair/salvage-store.ts'
import { finishUpgrade } from '../../clickhouse/directory/upgrade.ts'
import { lockStore } from '../../clickhouse/directory/store-directory.ts'
import { checkDataDirectory } from '../../config/check-data-directory.ts'
import type { Config } from '../../config/config.ts'
import { checkLocalLog } from '../../repair/check-log.ts'
import { readOffsets } from '../../event-log/local/log-use.ts'
import { makeLogDirectory } from '../../event-log/local/table.ts'
import { CommandError, present, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import { manifestFile, manifestSchema, otherFiles, type Manifest } from './backup.ts'

const logDatabase = 'log.sqlite'

export async function restoreBackup(config: Config, directory: string, { report }: CommandIo): Promise<CommandResult> {
  const { dataDir } = config
  const manifest = readManifest(directory)
  const migrations = new Set(readSchemaFiles('migrations').map((file) => file.name))
  // Its rows fit: parts are taken over by the names of their columns.
  const newer = hasMigrationsBeforeRelease(manifest.migrations)
    ? []
    : manifest.migrations.filter((name) => !migrations.has(name))
  if (newer.length > 0) {
    throw new CommandError(
      'usage',
      `The backup was made by a newer Rollcall, ${manifest.version} (it knows ${newer.join(', ')}). Restore it with that version or a later one.`,
    )
  }
  const store = join(dataDir, 'clickhouse')
  checkDataDirectory(dataDir)
  const lock = lockStore(store)
  try {
    if (existsSync(store)) {
      throw new CommandError(
        'usage',
        `There is a store in ${dataDir}. Move it away first, or set DATA_DIR to another directory.`,
      )
    }
    const building = `${store}.building`
    const rows = await buildStore(join(directory, 'clickhouse'), building, report, (_, salvaged) => countRows(salvaged))
    const log = restoreLog(join(directory, 'log'), join(dataDir, 'log'), manifest)
    for (const file of otherFiles) {
      if (existsSync(join(directory, file)) && !existsSync(join(dataDir, file))) {
        copyFileSync(join(directory, file), join(dataDir, file))
        // Secrets, and a backup that was elsewhere may have lost its permissions.
        chmodSync(join(dataDir, file), 0o600)
      }
    }
    // Last of all: from now on there is a store, and a start begins where it ends.
    renameSync(building, store)
    finishUpgrade(store)
    rmSync(`${building}.lock`, { force: true })
    return {
      outcome: log.missing > 0 ? 'problems' : 'done',
      lines: [
        `${dataDir} holds what was acknowledged before ${manifest.completeThrough}, ${rows} rows.`,
        ...log.lines,
        `For deliveries of after the backup that are in no log: rollcall backfill --from ${manifest.completeThrough} --heal.`,
      ],
      data: { rows, ...manifest, log_kept: log.isKept, missing: log.missing },
    }
  } finally {
    lock.close()
  }
}

function readManifest(directory: string): Manifest {
  const path = join(directory, manifestFile)
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new CommandError('usage', `${directory} is no backup, or not a whole one: ${path} cannot be read.`, { cause })
  }
}

/** The parts go into a schema of this version, which may be newer than the backup's. Returns how many rows they have. */
async function countRows({ tables }: Salvaged): Promise<number> {
  const damaged = tables.filter(({ lost, lostParts }) => lost + lostParts.length > 0)
  if (damaged.length > 0) {
    const names = damaged.map(({ table, lost }) => `${table} (${lost} rows)`).join(', ')
    throw new CommandError('failed', `The backup is damaged: ${names}. Take another one.`)
  }
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

type RestoredLog = { isKept: boolean; missing: number; lines: string[] }

function restoreLog(from: string, to: string, { nextOffset }: Manifest): RestoredLog {
  const check = checkLocalLog(to)
  if (check === undefined) {
    if (existsSync(from)) {
      makeLogDirectory(to)
      cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== logDatabase })
      // Last and whole: at the next try a cut one would count as a newer log.
      if (existsSync(join(from, logDatabase))) {
        copyFileSync(join(from, logDatabase), join(to, `${logDatabase}.building`))
        renameSync(join(to, `${logDatabase}.building`), join(to, logDatabase))
      }
    }
    return { isKept: false, missing: 0, lines: ['The event log is the one of the backup.'] }
  }
  if (check.broken !== undefined) throw new CommandError('failed', check.broken)
  const { first, next } = readOffsets(to)
  const missing = Math.max(0, Math.min(first, next) - nextOffset)
  return {
    isKept: true,
    missing,
    lines: present([
      `The event log in ${to} stays, because it is newer: ${Math.max(0, next - Math.max(first, nextOffset))} deliveries of after the backup are stored at the next start.`,
      missing > 0 && `${missing} deliveries are neither in the backup nor in the log any more.`,
    ]),
  }
}
