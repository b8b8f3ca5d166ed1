/**
 * Runs a command where it belongs: here, in the running Rollcall, or here with the store opened. Prints its
 * result on stdout, and progress and problems on stderr.
 */
import type { Writable } from 'node:stream'
import { isDistributed, isEmbedded, parseConfig, toProblemText, type Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { CommandError, exitCodes, type CommandIo, type CommandResult } from '../runtime/control/command.ts'
import { findRunning } from '../runtime/control/control-client.ts'
import { toErrorText } from '../runtime/describe-error.ts'
import { parseGiven, toNames, type LocalCommand, type StoreCommand } from './command.ts'
import { requireData } from './require-data.ts'

export type Context = {
  out: Writable
  err: Writable
  env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  setExitCode(code: number): void
}

export type Output = { json?: boolean; quiet?: boolean }

/** Whether the program that reads a pipe has ended. */
export function isReaderGone(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'EPIPE'
}

/** Never throws: errors are printed and become exit codes. */
export async function performCommand(
  command: StoreCommand | LocalCommand,
  given: unknown,
  { json = false, quiet = false }: Output,
  { out, err, env, signal, setExitCode }: Context,
): Promise<void> {
  try {
    const parsed = parseGiven(command, given)
    const io = { report: quiet ? () => {} : createReport(err), signal }
    const read = parseConfig(env)
    if (!read.ok) throw new CommandError('usage', toProblemText(read.problems))
    const result = await ('run' in command
      ? runStoreCommand(command, parsed, read.config, io)
      : command.runHere(parsed, read.config, io))
    const { outcome, lines, data } = result
    out.write(json ? toJson({ outcome, ...data }) : lines.map((line) => `${line}\n`).join(''))
    setExitCode(exitCodes[outcome])
  } catch (error) {
    // The reader of a pipe may leave early. That is no error.
    if (isReaderGone(error)) return setExitCode(exitCodes.failed)
    const isKnown = error instanceof CommandError || error instanceof StartError
    const words = isKnown ? error.message : toErrorText(error)
    const message = signal.aborted ? 'Stopped. You can run it again.' : words
    if (json) out.write(toJson({ outcome: 'error', message }))
    err.write(`${message}\n`)
    const isUsage = error instanceof StartError || (error instanceof CommandError && error.code === 'usage')
    setExitCode(isUsage ? exitCodes.usage : exitCodes.failed)
  }
}

export function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const reportIntervalMs = 5_000

/** A line for each step, and one every 5 s during a step. */
export function createReport(err: Writable, now = Date.now): CommandIo['report'] {
  let last = { step: '', at: 0 }
  return ({ step, done, total }) => {
    const isEnd = done !== undefined && done === total
    if (step === last.step && !isEnd && now() - last.at < reportIntervalMs) return
    last = { step, at: now() }
    const count = done === undefined ? ' ...' : `: ${done}${total === undefined ? '' : ` of ${total}`}`
    err.write(`${step}${count}\n`)
  }
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
