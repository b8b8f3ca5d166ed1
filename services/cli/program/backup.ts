/** Backup and restore of an embedded installation. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../../runtime/control/command.ts'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { runStoreCommand } from '../run-store-command.ts'
import { addCommand } from './add-command.ts'
import { isDistributed } from '../../config/config.ts'

export function addBackupCommands(program: Command, context: Context): void {
  addCommand(
    program,
    'backup <directory>',
    'Copy store, event log and tokens into an empty directory; Rollcall may run.',
    ['rollcall backup /backups/rollcall-2026-03-01'],
  ).action((directory: string, options: Options) =>
    perform(context, options, (io) =>
      runStoreCommand(readConfig(context), 'backup', { directory: resolve(directory) }, io),
    ),
  )

  addCommand(program, 'restore <directory>', 'Put a backup into DATA_DIR, which must have no store.', [
    'rollcall restore /backups/rollcall-2026-03-01',
  ]).action((directory: string, options: Options) =>
    perform(context, options, async (io) => {
      const config = readConfig(context)
      if (isDistributed(config))
        throw new CommandError('usage', 'A backup is restored into DATA_DIR; see docs/backup.md.')
      const { restoreBackup } = await import('../commands/restore.ts')
      return restoreBackup(config, resolve(directory), io)
    }),
  )
}
