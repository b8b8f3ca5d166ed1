/** What the process that has the store says to a command line that asked it for something: one JSON value a line. */
import type { CommandError, CommandResult, Progress } from './command.ts'

export type ControlMessage =
  | { type: 'progress'; progress: Progress }
  | { type: 'bytes'; base64: string }
  | { type: 'result'; result: CommandResult }
  | { type: 'error'; code: CommandError['code']; message: string }

export const controlPath = '/control'
