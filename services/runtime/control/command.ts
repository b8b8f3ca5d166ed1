/**
 * What the owner can have done: the contract between `rollcall` on the command line, which only reads words and prints, and
 * the functions that do it. The same function runs in the process that has the store open, wherever that is.
 */
import type { z } from 'zod'

export type Progress = {
  /** What is being done, in words; constant while a step lasts. */
  step: string
  done?: number
  /** Left out where it is not known. */
  total?: number
}

export type CommandIo = {
  report(progress: Progress): void
  /** For what a command makes (an export): resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Aborted when whoever asked has gone; a command then stops at its next step. */
  signal: AbortSignal
}

export type CommandResult = {
  /** `problems`: it was done, and found what the owner should look at. `failed`: it could not be done, or not wholly. */
  outcome: 'done' | 'problems' | 'failed'
  /** For a person, line by line. */
  lines: string[]
  /** For a program: what `--json` prints. */
  data: Record<string, unknown>
}

export type Command<Args = unknown> = {
  args: z.ZodType<Args>
  run(args: Args, io: CommandIo): Promise<CommandResult>
}

/** As they are kept side by side; what goes into `run` has been read by `args` before. */
export type Commands = ReadonlyMap<string, Command>

export function defineCommand<Args>(command: Command<Args>): Command {
  return command as Command
}

/** Expected, and said as it is, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** `usage`: asked for in a way that cannot be; `failed`: it could not be done. */
  readonly code: 'usage' | 'failed'
  constructor(code: CommandError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export const exitCodes = { done: 0, failed: 1, usage: 2, problems: 3 } as const
