/**
 * Runs a command where it belongs: here, in the running Rollcall, or here with the store opened. Prints its
 * result.
 */
import { isDistributed, isEmbedded, parseConfig, toProblemText, type Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { CommandError, exitCodes, type CommandIo, type CommandResult } from '../runtime/control/command.ts'
import { findRunning } from '../runtime/control/control-client.ts'
import { toErrorText } from '../runtime/describe-error.ts'
import { parseGiven, toNames, type LocalCommand, type StoreCommand } from './command.ts'
import { createPrinter, isReaderGone, printError, printResult, type Terminal } from './print.ts'
import { requireData } from './require-data.ts'

export type Context = {
  terminal: Terminal
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  setExitCode(code: number): void
}

export type Output = { json?: boolean; quiet?: boolean }

/** Never throws: errors are printed and become exit codes. */
export async function performCommand(
  command: StoreCommand | LocalCommand,
  given: unknown,
  { json = false, quiet = false }: Output,
  { terminal, env, signal, setExitCode }: Context,
): Promise<void> {
  const printer = createPrinter(terminal, { quiet })
  try {
    const parsed = parseGiven(command, given)
    const io = { report: printer.report, signal }
    const config = readConfig(env)
    const result = await ('run' in command
      ? runStoreCommand(command, parsed, config, io)
      : command.runHere(parsed, config, io))
    printer.endProgress()
    printResult(terminal, result, { json })
    setExitCode(exitCodes[result.outcome])
  } catch (error) {
    printer.endProgress()
    // The reader of a pipe may leave early. That is no error.
    if (isReaderGone(error)) return setExitCode(exitCodes.failed)
    const message = signal.aborted ? 'Stopped. You can run it again.' : toMessage(error)
    if (json) printError(terminal, message)
    terminal.err.write(`${message}\n`)
    const isUsage = error instanceof StartError || (error instanceof CommandError && error.code === 'usage')
    setExitCode(isUsage ? exitCodes.usage : exitCodes.failed)
  }
}

function readConfig(env: Context['env']): Config {
  const parsed = parseConfig(env)
  if (parsed.ok) return parsed.config
  throw new CommandError('usage', toProblemText(parsed.problems))
}

async function runStoreCommand(
  command: StoreCommand,
  parsed: Record<string, unknown>,
  config: Config,
  io: CommandIo,
): Promise<CommandResult> {
  if (!isDistributed(config) && !isEmbedded(config)) {
    if (command.runWithoutStore !== undefined) return command.runWithoutStore(parsed, config)
    const problem = 'This command needs both KAFKA_BROKERS and CLICKHOUSE_URL, and only one of them is set.'
    throw new CommandError('usage', `${problem} Run it where the consumer runs.`)
  }
  const running = isDistributed(config) ? undefined : await findRunning(config.dataDir)
  const createsStore = command.createsStore === true || isDistributed(config) || running !== undefined
  if (!createsStore) requireData(config, 'clickhouse')
  const given = (await command.prepare?.(parsed)) ?? parsed
  if (running !== undefined) return running.run(toNames(command).join('-'), given, io)
  // Imported on demand: the engine is large, and distributed images have none.
  const { deps, close } = isDistributed(config)
    ? await (await import('./open-distributed-store.ts')).openDistributedStore(config)
    : await (await import('./open-embedded-store.ts')).openEmbeddedStore(config)
  try {
    return await command.run(given, deps, io)
  } finally {
    await close()
  }
}

function toMessage(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartError) return error.message
  return toErrorText(error)
}
