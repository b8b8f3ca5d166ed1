/** Commands about the files of an installation: backups, the store, the event log, the move to servers. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../../runtime/control/command.ts'
import { addCommand, perform, performStoreCommand, readConfig, type Context, type Options } from '../context.ts'
import { isDistributed } from '../../config/config.ts'
import { checkLog, repairLog } from '../commands/log.ts'

export function addBackupCommands(program: Command, context: Context): void {
  addCommand(
    program,
    'backup <directory>',
    'Copy store, event log and tokens into an empty directory; Rollcall may run.',
    ['rollcall backup /backups/rollcall-2026-03-01'],
  ).action((directory: string, options: Options) =>
    performStoreCommand(context, options, 'backup', { directory: resolve(directory) }),
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

export function addStoreCommands(program: Command, context: Context): void {
  const store = program.command('store').description('Rebuild the embedded store where it is damaged.')

  addCommand(
    store,
    'rebuild',
    'Make a new store of all rows that can be read and of the event log; keep the old one.',
    ['rollcall store rebuild'],
  ).action((options: Options) =>
    perform(context, options, async (io) => {
      // Loaded only now: it brings the engine, which the distributed images do without.
      const { rebuildStore } = await import('../commands/store.ts')
      return rebuildStore(readConfig(context), io)
    }),
  )
}

export function addLogCommands(program: Command, context: Context): void {
  const log = program
    .command('log')
    .description('Check and repair the event log on this disk (distributed: the spool).')

  addCommand(log, 'check', 'Read the whole log and count unreadable and missing records. Rollcall may be running.', [
    'rollcall log check',
  ]).action((options: Options) => perform(context, options, () => checkLog(readConfig(context))))

  addCommand(log, 'repair', 'Write all readable records to a new log, and move the damaged one aside.', [
    'rollcall log repair',
  ]).action((options: Options) => perform(context, options, () => repairLog(readConfig(context))))
}

export function addMoveCommand(program: Command, context: Context): void {
  addCommand(
    program,
    'migrate-to-distributed',
    'Copy everything in DATA_DIR to ClickHouse (CLICKHOUSE_URL), create the Kafka topic, and prove that both stores agree.',
    ['DATA_DIR=./data KAFKA_BROKERS=... CLICKHOUSE_URL=... rollcall migrate-to-distributed'],
  ).action((options: Options) =>
    perform(context, options, async (io) => {
      const config = readConfig(context)
      if (!isDistributed(config))
        throw new CommandError('usage', 'Set KAFKA_BROKERS and CLICKHOUSE_URL, the target of the move.')
      const { moveToDistributed } = await import('../move/move-to-distributed.ts')
      return moveToDistributed(config, io)
    }),
  )
}
