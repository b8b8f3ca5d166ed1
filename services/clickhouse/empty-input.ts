/** The standard input of this process, emptied before the engine is opened. */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { isatty } from 'node:tty'
import { StartError } from '../config/start-error.ts'

const empty = '/dev/null'

/**
 * The engine takes what stands at this process's standard input for rows of each INSERT: with a byte there, inserts fail or wait for ever
 * (chdb-core, issue 239). Nothing here reads a pipe after the store is open; a terminal is left alone by the engine.
 */
export function emptyInput(): void {
  const [input, nothing] = [fstatSync(0), statSync(empty)]
  if (isatty(0) || (input.dev === nothing.dev && input.ino === nothing.ino)) return
  closeSync(0)
  // The lowest free number: that of the input, unless another thread has just opened a file.
  if (openSync(empty, 'r') !== 0)
    throw new StartError('The standard input could not be emptied. Start again.')
}
