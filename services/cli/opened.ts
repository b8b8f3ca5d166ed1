/** A store that the command line opened itself, because no running process has it. */
import type { CommandDeps } from './command-deps.ts'

export type Opened = {
  deps: CommandDeps
  close(): Promise<void>
}
