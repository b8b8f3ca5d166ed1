/**
 * `rollcall backup` and `rollcall restore`: store, event log, tokens and erased people of an embedded
 * installation. A backup freezes the store between two batches, by links to files that never change, and
 * copies the log after it. So the log has every record that the store misses.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isDistributed } from '../../config/config.ts'
import { CommandError } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import { localCommand, storeCommand, text } from '../command.ts'

/** Written last: a directory without it is not a backup. */
const manifestFile = 'backup.json'
const manifestSchema = z.object({
  version: z.string(),
  /** The backup has everything that was acknowledged before. */
  completeThrough: z.iso.datetime(),
})
type Manifest = z.infer<typeof manifestSchema>

const secretFiles = ['tokens.json', 'session-secret']
/** More steps would restart at every append of another thread. */
const allPages = 2 ** 31 - 1
/** The engine's links are relative and lead into the store. */
const asIs = { recursive: true, verbatimSymlinks: true }
const options = z.object({ directory: text.transform((path) => resolve(path)) })

export const backup = storeCommand({
  usage: 'backup <directory>',
  summary: 'Copy store, event log and tokens into an empty directory. Rollcall may be running.',
  examples: ['rollcall backup /backups/rollcall-2026-03-01'],
  options,
  async run({ directory }, { config, client, consumer }, io) {
    const { checkDirectory } = await import('../../config/check-data-directory.ts')
    const { erasedFile } = await import('../../erasure/erased-file.ts')
    if (isDistributed(config)) {
      throw new CommandError('usage', 'Kafka and ClickHouse have their own backups: see docs/backup.md.')
    }
    checkDirectory(directory, (problem, cause) => new CommandError('usage', problem, { cause }))
    if (readdirSync(directory).length > 0) {
      throw new CommandError('usage', `${directory} is not empty. A backup needs an empty directory.`)
    }
    const name = `backup_${process.pid}_${Date.now()}`
    const store = join(config.dataDir, 'clickhouse')
    const frozen = join(store, 'shadow', name)
    const target = join(directory, 'clickhouse')
    try {
      // Before the store: the store may hold more erasures than the file, never fewer.
      for (const file of [...secretFiles, erasedFile])
        copyIfThere(join(config.dataDir, file), join(directory, file))
      await consumer.exclusively(() => freeze(client, name))
      await copyDefinitions(store, target)
      io.report({ step: 'Copying files' })
      await cp(join(frozen, 'store'), join(target, 'store'), asIs)
      const completeThrough = new Date().toISOString()
      mkdirSync(join(directory, 'log'), { mode: 0o700 })
      await copyLog(join(config.dataDir, 'log/log.sqlite'), join(directory, 'log/log.sqlite'))
      const manifest: Manifest = { version, completeThrough }
      writeFileSync(join(directory, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
      return {
        outcome: 'done',
        lines: [
          `${directory} has everything that was acknowledged before ${completeThrough}.`,
          'It has names, emails and tokens: keep it where only you can read it. It has no settings (.env).',
        ],
        data: { directory, ...manifest },
      }
    } catch (error) {
      // The directory was empty: the command can be repeated.
      for (const entry of readdirSync(directory))
        rmSync(join(directory, entry), { recursive: true, force: true })
      throw error
    } finally {
      rmSync(frozen, { recursive: true, force: true })
    }
  },
})

/**
 * The store of a backup only has to be copied: the next start brings its tables to its version. A log that
 * still exists is newer than the backup's, and stays.
 */
export const restore = localCommand({
  usage: 'restore <directory>',
  summary: 'Put a backup into DATA_DIR, which must have no store.',
  examples: ['rollcall restore /backups/rollcall-2026-03-01'],
  options,
  async runHere({ directory }, config, io) {
    if (isDistributed(config)) {
      throw new CommandError('usage', 'A backup is restored into DATA_DIR: see docs/backup.md.')
    }
    const { lockStore } = await import('../../clickhouse/store-directory.ts')
    const { checkDataDirectory } = await import('../../config/check-data-directory.ts')
    const { keepErased, readErased } = await import('../../erasure/erased-file.ts')
    const { makeLogDirectory } = await import('../../event-log/local/table.ts')
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
      rmSync(building, { recursive: true, force: true })
      io.report({ step: 'Copying files' })
      await cp(join(directory, 'clickhouse'), building, asIs)
      // A backup that was elsewhere may have lost its permissions.
      chmodSync(building, 0o700)
      makeLogDirectory(join(dataDir, 'log'))
      const isLogKept = !restoreLog(join(directory, 'log/log.sqlite'), join(dataDir, 'log/log.sqlite'))
      for (const file of secretFiles) {
        if (existsSync(join(dataDir, file))) continue
        if (copyIfThere(join(directory, file), join(dataDir, file))) chmodSync(join(dataDir, file), 0o600)
      }
      // Last of all: from now on there is a store.
      renameSync(building, store)
      return {
        outcome: 'done',
        lines: [
          `${dataDir} has everything that was acknowledged before ${manifest.completeThrough}.`,
          isLogKept
            ? `The event log in ${join(dataDir, 'log')} stays, because it is newer. The next start stores what the backup misses.`
            : 'The event log is the one of the backup.',
          `To fetch later webhooks that are in no log: rollcall backfill --all --repair.`,
        ],
        data: { ...manifest, log_kept: isLogKept },
      }
    } finally {
      rmSync(building, { recursive: true, force: true })
      lock.close()
    }
  },
})

async function freeze(client: ClickHouseClient, name: string): Promise<void> {
  const { selectRows } = await import('../../clickhouse/statements.ts')
  const query = `SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree' AND total_rows > 0`
  const tables = await selectRows<{ name: string }>(client, query)
  const statements = tables.map((table) => `ALTER TABLE rollcall.${table.name} FREEZE WITH NAME '${name}'`)
  await Promise.all(statements.map((statement) => client.command({ query: statement })))
}

/**
 * Everything of a store except parts and files that are being written: tables and views change only at a
 * start.
 */
async function copyDefinitions(store: string, target: string): Promise<void> {
  const isDefinition = (path: string) => {
    const [root = '', , , file = 'format_version.txt'] = relative(store, path).split(sep)
    return !['shadow', 'tmp'].includes(root) && (file === 'format_version.txt' || file.endsWith('.sql'))
  }
  await cp(store, target, { ...asIs, filter: isDefinition })
}

async function copyLog(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  const { backup: copy, DatabaseSync } = await import('node:sqlite')
  const source = new DatabaseSync(from, { readOnly: true })
  try {
    await copy(source, to, { rate: allPages })
  } finally {
    source.close()
  }
}

function copyIfThere(from: string, to: string): boolean {
  if (!existsSync(from)) return false
  copyFileSync(from, to)
  return true
}

function readManifest(directory: string): Manifest {
  const path = join(directory, manifestFile)
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    const problem = `${directory} is not a backup, or not a complete one: ${path} cannot be read.`
    throw new CommandError('usage', problem, { cause })
  }
}

/** `false`: there is a log, which stays. */
function restoreLog(backedUp: string, log: string): boolean {
  if (existsSync(log)) return false
  // Whole or not at all: the next try would take a cut log for a newer one.
  if (copyIfThere(backedUp, `${log}.building`)) renameSync(`${log}.building`, log)
  return true
}
