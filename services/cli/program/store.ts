/** The embedded store as a whole. */
import type { Command } from 'commander'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { addCommand } from './add-command.ts'

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
