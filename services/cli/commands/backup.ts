/**
 * `rollcall backup`: store, event log, tokens and erased ids of an embedded installation, while it runs. The store is frozen between
 * two batches, by links to files that never change. The log is copied after it, so it has whatever the store has not.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, cp } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { selectRows } from '../../clickhouse/statements.ts'
import { checkDirectory } from '../../config/check-data-directory.ts'
import { CommandError, defineCommand } from '../../runtime/control/command.ts'
import { version } from '../../runtime/version.ts'
import type { CommandDeps } from '../command-deps.ts'
import { isDistributed } from '../../config/config.ts'
import { erasedFile } from '../../erasure/erased-file.ts'

/** Written last: a directory without it is not a backup. */
export const manifestFile = 'backup.json'

export const manifestSchema = z.object({
  version: z.string(),
  /** Everything that was acknowledged before it is in the backup. */
  completeThrough: z.iso.datetime(),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Beside the store and the log, whatever of it is there. */
export const secretFiles = ['ingest-token', 'tokens.json', 'session-secret']

/** All pages in one step: with more steps, every append of another thread would restart it. */
const allPages = 2 ** 31 - 1

export function createBackupCommand({ config, client, consumer }: CommandDeps) {
  const store = join(config.dataDir, 'clickhouse')
  return defineCommand(z.object({ directory: z.string().min(1) }), async ({ directory }, { report }) => {
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
    const frozen = join(store, 'shadow', name)
    const target = join(directory, 'clickhouse')
    try {
      // Before the store: the store may hold more erasures than the file, never fewer.
      for (const file of [...secretFiles, erasedFile]) await copyIfThere(file)
      report({ step: 'Freezing the store' })
      await consumer.exclusively(() => freeze(name))
      report({ step: 'Copying the store' })
      copyDefinitions(store, target)
      await cp(join(frozen, 'store'), join(target, 'store'), { recursive: true })
      const completeThrough = new Date().toISOString()
      report({ step: 'Copying the event log' })
      mkdirSync(join(directory, 'log'), { mode: 0o700 })
      await copyLog(join(config.dataDir, 'log/log.sqlite'), join(directory, 'log/log.sqlite'))
      const manifest: Manifest = { version, completeThrough }
      writeFileSync(join(directory, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
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
      rmSync(frozen, { recursive: true, force: true })
    }

    async function copyIfThere(file: string): Promise<void> {
      const from = join(config.dataDir, file)
      if (existsSync(from)) await copyFile(from, join(directory, file))
    }
  })

  async function freeze(name: string): Promise<void> {
    const query = `SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree' AND total_rows > 0`
    const tables = await selectRows<{ name: string }>(client, query)
    const statements = tables.map((table) => `ALTER TABLE rollcall.${table.name} FREEZE WITH NAME '${name}'`)
    await Promise.all(statements.map((statement) => client.command({ query: statement })))
  }
}

/** Everything of a store but parts and what is being written: tables and views change only at a start. */
function copyDefinitions(store: string, target: string): void {
  const isDefinition = (path: string) => {
    const [root = '', , , file = 'format_version.txt'] = relative(store, path).split(sep)
    return !['shadow', 'tmp'].includes(root) && (file === 'format_version.txt' || file.endsWith('.sql'))
  }
  // The engine's links are relative and lead into the store.
  cpSync(store, target, { recursive: true, verbatimSymlinks: true, filter: isDefinition })
}

async function copyLog(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  const source = new DatabaseSync(from, { readOnly: true })
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
}
