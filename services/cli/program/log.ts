/** The event log on this disk: what can be read of it, and a way out where it is damaged. */
import type { Command } from 'commander'
import { checkLog, repairLog } from '../commands/log.ts'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { addCommand } from './add-command.ts'

export function addLogCommands(program: Command, context: Context): void {
  const log = program
    .command('log')
    .description('Check and repair the event log on this disk (distributed: the spool).')

  addCommand(log, 'check', 'Read the whole log and count unreadable and missing records. Rollcall may be running.', [
    'rollcall log check',
  ]).action((options: Options) => perform(context, options, () => Promise.resolve(checkLog(readConfig(context)))))

  addCommand(log, 'repair', 'Write all readable records to a new log, and move the damaged one aside.', [
    'rollcall log repair',
  ]).action((options: Options) => perform(context, options, () => Promise.resolve(repairLog(readConfig(context)))))
}
