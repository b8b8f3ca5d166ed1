/** DATA_DIR and other directories, checked before anything is written: a problem is said in one line. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StartError } from './start-error.ts'

export function checkDataDirectory(directory: string): void {
  const refuse = (problem: string, cause?: unknown) =>
    new StartError(`DATA_DIR: ${problem} Set DATA_DIR to a directory that Rollcall may write.`, { cause })
  checkDirectory(directory, refuse)
  const path = resolve(directory)
  const check = (file: string) => {
    try {
      if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      throw refuse(`${file} may not be read and written (${code})${toOwner(file, path)}.`, error)
    }
  }
  // A start as another user, as root once, leaves files that this one may not open.
  for (const folder of ['log', 'clickhouse'].map((name) => join(path, name))) {
    check(folder)
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    for (const file of readdirSync(folder)) check(join(folder, file))
  }
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
function toOwner(path: string, toChange = path): string {
  // The machine may not name the user: in containers it often does not.
  const uid = process.getuid?.()
  let there: Stats | undefined
  try {
    there = statSync(path, { throwIfNoEntry: false })
  } catch {
    // In a directory that this user may not enter.
  }
  if (there === undefined || uid === undefined || there.uid === uid) return ''
  return `: it belongs to user ${there.uid}, and this process is user ${uid}. As root: chown -R ${uid} ${toChange}`
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
