/** A store that the command line has opened itself, because no process runs that has it. */
import type { CommandDeps } from './command-deps.ts'

export type Opened = {
  deps: CommandDeps
  close(): Promise<void>
}
