/** DATA_DIR, checked before anything is written: its problem is said in one line. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from './start-error.ts'

export function checkDataDirectory(directory: string): void {
  const path = resolve(directory)
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw refuse(`${path} is a file, not a directory.`)
    }
    make(path)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw refuse(`The directory ${path} cannot be made (${toCode(error)}).`, error)
  }
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw refuse(`The directory ${path} may not be written (${toCode(error)}).`, error)
  }
}

/** One by one: where the system refuses one as if its parent were missing, as in /proc, `recursive` tries for ever. */
function make(path: string): void {
  if (existsSync(path)) return
  make(dirname(path))
  // Personal data: only the owner may read it.
  mkdirSync(path, { mode: 0o700 })
}

function refuse(what: string, cause?: unknown): StartError {
  return new StartError(`DATA_DIR: ${what} Set DATA_DIR to a directory that Rollcall may write.`, { cause })
}

function toCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
