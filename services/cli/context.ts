/** What every command does around its own work: configuration, progress, output, exit code. */
import { parseConfig, toProblemText, type Config } from '../config/config.ts'
import { CommandError, exitCodes, type CommandIo, type CommandResult } from '../runtime/control/command.ts'
import { toErrorText } from '../runtime/describe-error.ts'
import { StartError } from '../config/start-error.ts'
import { createPrinter, isReaderGone, printResult, type Terminal } from './print.ts'

export type Context = {
  terminal: Terminal
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Where a command's stream of bytes goes. Default: stdout. */
  setExitCode(code: number): void
}

export type Options = { json?: boolean; quiet?: boolean }

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
  run: (io: CommandIo) => Promise<CommandResult>,
  write?: CommandIo['write'],
): Promise<void> {
  const { terminal, signal, setExitCode } = context
  const json = options.json ?? false
  const printer = createPrinter(terminal, { quiet: options.quiet ?? false })
  try {
    const result = await run({ report: printer.report, write: write ?? refuseBytes, signal })
    printer.endProgress()
    printResult(terminal, result, { json })
    setExitCode(exitCodes[result.outcome])
  } catch (error) {
    printer.endProgress()
    // Like every program at the head of a pipe it ends without a word.
    if (isReaderGone(error)) return setExitCode(exitCodes.failed)
    const message = signal.aborted ? 'Stopped. It can be done again.' : toMessage(error)
    if (json) terminal.out.write(`${JSON.stringify({ outcome: 'error', message }, null, 2)}\n`)
    terminal.err.write(`${message}\n`)
    const isUsage = error instanceof StartError || (error instanceof CommandError && error.code === 'usage')
    setExitCode(isUsage ? exitCodes.usage : exitCodes.failed)
  }
}

function toMessage(error: unknown): string {
  if (error instanceof CommandError || error instanceof StartError) return error.message
  return toErrorText(error)
}

function refuseBytes(): Promise<void> {
  return Promise.reject(new Error('This command makes no file'))
}
