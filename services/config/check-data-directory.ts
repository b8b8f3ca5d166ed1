/** DATA_DIR and other directories, checked before anything is written: a problem is said in one line. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { StartError } from './start-error.ts'

export function checkDataDirectory(directory: string): void {
  checkDirectory(directory, (problem, cause) => {
    return new StartError(`DATA_DIR: ${problem} Set DATA_DIR to a directory that Rollcall may write.`, { cause })
  })
}

/** Makes it where it is missing; throws what `refuse` makes of the problem. */
export function checkDirectory(directory: string, refuse: (problem: string, cause?: unknown) => Error): void {
  const path = resolve(directory)
  function attempt(run: () => void, otherwise: string): void {
    try {
      run()
    } catch (error) {
      const { code = 'unknown', path: there } = error as NodeJS.ErrnoException
      // Something is there that leads nowhere, as to a disk that is not mounted.
      if (code === 'EEXIST') throw refuse(`${there} is a link that leads to nothing.`, error)
      throw refuse(`The directory ${path} ${otherwise} (${code})${toOwner(path)}.`, error)
    }
  }
  if (existsSync(path) && !statSync(path).isDirectory()) throw refuse(`${path} is a file, not a directory.`)
  attempt(() => make(path), 'cannot be made')
  attempt(() => accessSync(path, constants.W_OK | constants.X_OK), 'may not be written')
}

/** A volume keeps the owner that it was made with, and an image runs as a user of its own. */
function toOwner(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false })
  const { uid } = userInfo()
  if (there === undefined || there.uid === uid) return ''
  return `: it belongs to user ${there.uid}, and this process is user ${uid}. As root: chown -R ${uid} ${path}`
}

/** One by one: where the system refuses one as if its parent were missing, as in /proc, `recursive` tries for ever. */
function make(path: string): void {
  if (existsSync(path)) return
  make(dirname(path))
  // Personal data: only the owner may read it.
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error
  }
}
