/** The answers of the running process to the command line: one JSON value a line. */
import type { CommandError, CommandResult, Progress } from './command.ts'

export type ControlMessage =
  | { type: 'progress'; progress: Progress }
  | { type: 'bytes'; base64: string }
  | { type: 'result'; result: CommandResult }
  | { type: 'error'; code: CommandError['code']; message: string }

export const controlPath = '/control'
