/** Looking after an installation: its schema, and what is wrong with it. */
import type { Command } from 'commander'
import { migrateStore } from '../commands/migrate.ts'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { addCommand } from './add-command.ts'

export function addCareCommands(program: Command, context: Context): void {
  addCommand(program, 'migrate', 'Bring the store to the schema of this version, without starting anything.', [
    'rollcall migrate',
  ]).action((options: Options) => perform(context, options, (io) => migrateStore(readConfig(context), io)))
}
