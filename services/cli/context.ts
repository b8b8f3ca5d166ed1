/** The frame of every command: options, configuration, progress, output, exit code. */
import type { Command } from 'commander'
import { isDistributed, isEmbedded, parseConfig, toProblemText, type Config } from '../config/config.ts'
import { findRunning } from '../runtime/control/control-client.ts'
import { CommandError, exitCodes, parseArgs, type CommandIo, type CommandResult } from '../runtime/control/command.ts'
import { toErrorText } from '../runtime/describe-error.ts'
import { StartError } from '../config/start-error.ts'
import { createPrinter, isReaderGone, printError, printResult, type Terminal } from './print.ts'

export type Context = {
  terminal: Terminal
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  setExitCode(code: number): void
}

export type Options = { json?: boolean; quiet?: boolean }

/** Adds the options that all commands share, and examples to the help. */
export function addCommand(parent: Command, usage: string, description: string, examples: readonly string[]): Command {
  const shown = examples.length === 0 ? '' : `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `${shown}\nExit codes: 0 done, 1 failed, 2 invalid arguments or configuration, 3 done and problems found.`,
    )
}

/** Throws a `CommandError` that lists every problem. */
export function readConfig({ env }: Context): Config {
  const parsed = parseConfig(env)
  if (parsed.ok) return parsed.config
  throw new CommandError('usage', toProblemText(parsed.problems))
}

/** Runs, prints, and sets the exit code; never throws. */
export async function perform(
  context: Context,
  options: Options,
  run: (io: CommandIo) => CommandResult | Promise<CommandResult>,
): Promise<void> {
  const { terminal, signal, setExitCode } = context
  const json = options.json ?? false
  const printer = createPrinter(terminal, { quiet: options.quiet ?? false })
  try {
    const result = await run({ report: printer.report, signal })
    printer.endProgress()
    printResult(terminal, result, { json })
    setExitCode(exitCodes[result.outcome])
  } catch (error) {
    printer.endProgress()
    // Like every program at the head of a pipe it ends without a word.
    if (isReaderGone(error)) return setExitCode(exitCodes.failed)
    const message = signal.aborted ? 'Stopped. It can be done again.' : toMessage(error)
    if (json) printError(terminal, message)
    terminal.err.write(`${message}\n`)
    const isUsage = error instanceof StartError || (error instanceof CommandError && error.code === 'usage')
    setExitCode(isUsage ? exitCodes.usage : exitCodes.failed)
  }
}

export function performStoreCommand(context: Context, options: Options, name: string, args: object): Promise<void> {
  return perform(context, options, (io) => runStoreCommand(readConfig(context), name, args, io))
}

/** Runs a command in the running process if there is one, or here with the store opened. */
export async function runStoreCommand(
  config: Config,
  name: string,
  args: object,
  io: CommandIo,
): Promise<CommandResult> {
  if (!isDistributed(config) && !isEmbedded(config)) {
    throw new CommandError(
      'usage',
      'This command needs both KAFKA_BROKERS and CLICKHOUSE_URL, and only one is set here. Run it where the consumer runs.',
    )
  }
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
    return await command.run(parseArgs(command, args), io)
  } finally {
    await close()
  }
}

function toMessage(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartError) return error.message
  return toErrorText(error)
}
