/**
 * `rollcall restore`: puts a backup into DATA_DIR. The store of a backup is a whole one, so it only has to be copied: the next start
 * brings its tables to that version. A log that is still there is newer than the backup's, and stays.
 */
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { lockStore } from '../../clickhouse/store-directory.ts'
import { checkDataDirectory } from '../../config/check-data-directory.ts'
import type { Config } from '../../config/config.ts'
import { keepErased, readErased } from '../../erasure/erased-file.ts'
import { makeLogDirectory } from '../../event-log/local/table.ts'
import { CommandError, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import { manifestFile, manifestSchema, secretFiles, type Manifest } from './backup.ts'

export async function restoreBackup(config: Config, directory: string, { report }: CommandIo): Promise<CommandResult> {
  const { dataDir } = config
  const manifest = readManifest(directory)
  const store = join(dataDir, 'clickhouse')
  const building = `${store}.building`
  checkDataDirectory(dataDir)
  const lock = lockStore(store)
  try {
    if (existsSync(store)) {
      throw new CommandError(
        'usage',
        `There is a store in ${dataDir}. Move it away first, or set DATA_DIR to another directory.`,
      )
    }
    keepErased(dataDir, readErased(directory))
    report({ step: 'Copying the store' })
    rmSync(building, { recursive: true, force: true })
    await cp(join(directory, 'clickhouse'), building, { recursive: true, verbatimSymlinks: true })
    // A backup that was elsewhere may have lost its permissions.
    chmodSync(building, 0o700)
    report({ step: 'Copying the event log' })
    const isLogKept = !restoreLog(join(directory, 'log'), join(dataDir, 'log'))
    for (const file of secretFiles) {
      if (existsSync(join(directory, file)) && !existsSync(join(dataDir, file))) {
        copyFileSync(join(directory, file), join(dataDir, file))
        chmodSync(join(dataDir, file), 0o600)
      }
    }
    // Last of all: from now on there is a store, and a start begins where it ends.
    renameSync(building, store)
    return {
      outcome: 'done',
      lines: [
        `${dataDir} holds what was acknowledged before ${manifest.completeThrough}.`,
        isLogKept
          ? `The event log in ${join(dataDir, 'log')} stays, because it is newer: the next start stores what it has beyond the backup.`
          : 'The event log is the one of the backup.',
        `For deliveries after the backup that are in no log: rollcall backfill --from ${manifest.completeThrough} --heal.`,
      ],
      data: { ...manifest, log_kept: isLogKept },
    }
  } finally {
    rmSync(building, { recursive: true, force: true })
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

/** `false`: there is a log, which stays. */
function restoreLog(from: string, to: string): boolean {
  const [backedUp, log] = [join(from, 'log.sqlite'), join(to, 'log.sqlite')]
  if (existsSync(log)) return false
  makeLogDirectory(to)
  if (existsSync(backedUp)) {
    // Whole or not at all: at the next try a cut one would count as a newer log.
    copyFileSync(backedUp, `${log}.building`)
    renameSync(`${log}.building`, log)
  }
  return true
}
