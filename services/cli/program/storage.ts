/** Commands about the files of an installation: backups, the store, the event log, and what goes from one store to another. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../../runtime/control/command.ts'
import { addCommand, perform, performStoreCommand, readConfig, type Context, type Options } from '../context.ts'
import { isDistributed } from '../../config/config.ts'
import { checkLog } from '../commands/log.ts'

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

export function addLogCommands(program: Command, context: Context): void {
  const log = program.command('log').description('Check the event log on this disk (distributed: the spool).')

  addCommand(log, 'check', 'Read the whole log and report damage. Rollcall may be running.', [
    'rollcall log check',
  ]).action((options: Options) => perform(context, options, () => checkLog(readConfig(context))))

  addCommand(log, 'adopt', 'Read another event log from its first record, such as a Kafka topic that was recreated.', [
    'rollcall log adopt',
  ]).action((options: Options) => performStoreCommand(context, options, 'log-adopt', {}))
}

export function addTransferCommands(program: Command, context: Context): void {
  addCommand(
    program,
    'export-events <file>',
    'Write every event, what was pulled, erasures and the records of people to a file of JSON lines.',
    ['rollcall export-events /backups/rollcall.jsonl'],
  ).action((file: string, options: Options) =>
    performStoreCommand(context, options, 'export-events', { file: resolve(file) }),
  )

  addCommand(
    program,
    'import-events <file>',
    'Fill an empty store from a file of export-events, and compare its numbers with those of the export.',
    ['KAFKA_BROKERS=... CLICKHOUSE_URL=... rollcall import-events /backups/rollcall.jsonl'],
  ).action((file: string, options: Options) =>
    perform(context, options, async (io) => {
      const { importEvents } = await import('../commands/import-events.ts')
      return importEvents(readConfig(context), resolve(file), io)
    }),
  )
}
