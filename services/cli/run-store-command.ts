/** Runs a command in the running process if there is one, or here with the store opened. */
import { CommandError, type CommandIo, type CommandResult } from '../runtime/control/command.ts'
import { isDistributed, type Config } from '../config/config.ts'
import { findRunning } from '../runtime/control/control-client.ts'

export async function runStoreCommand(
  config: Config,
  name: string,
  args: unknown,
  io: CommandIo,
): Promise<CommandResult> {
  const running = isDistributed(config) ? undefined : await findRunning(config.dataDir)
  if (running !== undefined) return running.run(name, args, io)
  // Imported on demand: the engine is large, and missing in distributed installations.
  const { deps, close } = isDistributed(config)
    ? await (await import('./open-distributed-store.ts')).openDistributedStore(config)
    : await (await import('./open-embedded-store.ts')).openEmbeddedStore(config)
  try {
    // On demand, too: they load half of the product.
    const { createCommands } = await import('./create-commands.ts')
    const command = createCommands(deps).get(name)
    if (command === undefined) throw new CommandError('usage', `There is no command ${name}.`)
    return await command.run(command.args.parse(args), io)
  } finally {
    await close()
  }
}
