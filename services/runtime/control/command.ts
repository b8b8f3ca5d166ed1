/**
 * The contract between the `rollcall` command line, which parses words and prints, and the process that has
 * the store open.
 */

export type Progress = {
  /** The current step, in words; constant during a step. */
  step: string
  done?: number
  /** Undefined if unknown. */
  total?: number
}

export type CommandIo = {
  report(progress: Progress): void
  /** Aborted when the caller disconnects. The command then stops at its next step. */
  signal: AbortSignal
}

export type CommandResult = {
  /** `problems`: done, and the owner should act. `failed`: not done, or incomplete. */
  outcome: 'done' | 'problems' | 'failed'
  /** The text for people. */
  lines: string[]
  /** The content of `--json`. */
  data: Record<string, unknown>
}

/** Checks its own input. */
export type RunCommand = (input: unknown, io: CommandIo) => Promise<CommandResult>

export type Commands = ReadonlyMap<string, RunCommand>

/** Without what does not apply: `present(['always', n > 0 && `${n} more`])`. */
export function present<Item>(items: readonly (Item | false | undefined)[]): Item[] {
  return items.flatMap((item) => (item === false || item === undefined ? [] : [item]))
}

/** Expected: shown as it is, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** `usage`: invalid arguments or configuration; `failed`: it could not be done. */
  readonly code: 'usage' | 'failed'
  constructor(code: CommandError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export const exitCodes = { done: 0, failed: 1, usage: 2, problems: 3 } as const

// The answers of the running process to the command line: one JSON value a line.

export type ControlMessage =
  | { type: 'progress'; progress: Progress }
  | { type: 'result'; result: CommandResult }
  | { type: 'error'; code: CommandError['code']; message: string }

export const controlPath = '/control'
