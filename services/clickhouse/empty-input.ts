/** The standard input of this process, emptied before the engine is opened. */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { StartError } from '../config/start-error.ts'

const empty = '/dev/null'

/**
 * The engine takes what stands at this process's standard input for rows of each INSERT: with a byte there, inserts fail or wait for ever
 * (chdb-core, issue 239). Nothing here reads a pipe after the store is open; a terminal is left alone by the engine.
 * Throws a `StartError` where another file of this process has taken the number of the standard input for good.
 */
export async function emptyInput(): Promise<void> {
  if (isatty(0) || isEmpty()) return
  closeSync(0)
  for (let tries = 0; tries < 100; tries++) {
    // Gets the lowest free number: that of the input, unless another thread has opened a file since, which is soon closed.
    const opened = openSync(empty, 'r')
    if (opened === 0) return
    closeSync(opened)
    await sleep(10)
  }
  throw new StartError('The standard input could not be emptied. Start again.')
}

function isEmpty(): boolean {
  const [input, nothing] = [fstatSync(0), statSync(empty)]
  return input.dev === nothing.dev && input.ino === nothing.ino
}
