/**
 * `rollcall backup`: store, event log and tokens of an embedded installation, while it runs. The store is frozen between two
 * batches, by links to files that never change; the log is copied after it, so it has whatever the store has not.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { readSchemaFiles } from '../../clickhouse/migrate.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { checkDirectory } from '../../config/check-data-directory.ts'
import { CommandError, defineCommand } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import type { CommandDeps } from '../command-deps.ts'
import { isDistributed } from '../../config/config.ts'

/** In DATA_DIR: where the last backup is, for `rollcall upgrade --check`. */
export const lastBackupFile = 'last-backup.json'
/** Written last: a directory without it is not a backup. */
export const manifestFile = 'backup.json'

export const manifestSchema = z.object({
  version: z.string(),
  /** Everything that was acknowledged before it is in the backup. */
  completeThrough: z.iso.datetime(),
  /** Migrations of the store's schema: a version that does not know all of them cannot restore it. */
  migrations: z.array(z.string()),
  /** Up to where the log is in the store. */
  nextOffset: z.int().min(0),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Beside the store and the log, whatever of it is there. */
export const otherFiles = ['ingest-token', 'tokens.json', 'session-secret']
export const logFiles = ['stored-through.txt', 'offset-floor.txt', 'losses.json']

/** All pages in one step: with more steps, every append of another thread would restart it. */
const allPages = 2 ** 31 - 1

export function createBackupCommand({ config, client, consumer }: CommandDeps) {
  return defineCommand(z.object({ directory: z.string().min(1) }), async ({ directory }, { report, signal }) => {
    if (isDistributed(config)) {
      throw new CommandError(
        'usage',
        'Kafka and ClickHouse have their own backups: docs/backup.md says what is needed.',
      )
    }
    checkDirectory(directory, (problem, cause) => new CommandError('usage', problem, { cause }))
    if (readdirSync(directory).length > 0) {
      throw new CommandError('usage', `${directory} is not empty. A backup needs a directory of its own.`)
    }
    const name = `backup_${process.pid}_${Date.now()}`
    const shadow = join(config.dataDir, 'clickhouse/shadow', name)
    try {
      mkdirSync(join(directory, 'log'), { mode: 0o700 })
      report({ step: 'Freezing the store' })
      const { tables, nextOffset } = await consumer.exclusively(() => freeze(name))
      for (const [index, { table, path }] of tables.entries()) {
        signal.throwIfAborted()
        report({ step: `Copying ${table}`, done: index, total: tables.length })
        const target = join(directory, 'clickhouse/data/rollcall', table)
        mkdirSync(target, { recursive: true, mode: 0o700 })
        const frozen = join(shadow, path)
        if (existsSync(frozen)) await cp(frozen, target, { recursive: true })
      }
      const completeThrough = new Date().toISOString()
      report({ step: 'Copying the event log' })
      await copyLog(join(config.dataDir, 'log'), join(directory, 'log'))
      for (const file of otherFiles) await copyIfThere(join(config.dataDir, file), join(directory, file))
      const migrations = readSchemaFiles('migrations').map((file) => file.name)
      const manifest: Manifest = { version, completeThrough, migrations, nextOffset }
      writeFileSync(join(directory, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
      writeFileSync(join(config.dataDir, lastBackupFile), JSON.stringify({ directory }))
      return {
        outcome: 'done',
        lines: [
          `${directory} holds everything that was acknowledged before ${completeThrough}.`,
          'It has names, e-mails and tokens in it: keep it where only you can read it. Settings (.env) are not in it.',
        ],
        data: { directory, ...manifest },
      }
    } catch (error) {
      // The directory was empty: the command can be repeated.
      for (const entry of readdirSync(directory)) rmSync(join(directory, entry), { recursive: true, force: true })
      throw error
    } finally {
      rmSync(shadow, { recursive: true, force: true })
    }
  })

  async function freeze(name: string): Promise<{ tables: { table: string; path: string }[]; nextOffset: number }> {
    const tables = await selectRows<{ table: string; path: string }>(
      client,
      `SELECT name AS table, concat('store/', substring(toString(uuid), 1, 3), '/', toString(uuid)) AS path
        FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree'`,
    )
    for (const { table } of tables) {
      await client.command({ query: `ALTER TABLE rollcall.${table} FREEZE WITH NAME '${name}'` })
    }
    const [row] = await selectRows<{ next: string }>(
      client,
      'SELECT max(next_offset) AS next FROM rollcall.log_positions',
    )
    return { tables, nextOffset: Number(row?.next ?? 0) }
  }
}

async function copyLog(from: string, to: string): Promise<void> {
  if (!existsSync(join(from, 'log.sqlite'))) return
  const source = new DatabaseSync(join(from, 'log.sqlite'), { readOnly: true })
  try {
    await backup(source, join(to, 'log.sqlite'), { rate: allPages })
  } finally {
    source.close()
  }
  for (const file of logFiles) await copyIfThere(join(from, file), join(to, file))
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await copyFile(from, to)
}
