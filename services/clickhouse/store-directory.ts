/** The directory of an embedded store as a whole: who has it, and what it can be opened without. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../config/start-error.ts'
import { FileLockedError, openFileLock } from '../runtime/files/file-lock.ts'
import { readViews } from './migrate.ts'

/** A lock of ours, because the engine's own refusal looks like any other error of the engine. */
export function lockStore(directory: string): { close(): void } {
  // DATA_DIR, where a command is the first to need it: only the owner may read it.
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 })
  try {
    const lock = openFileLock(`${directory}.lock`)
    writeFileSync(`${directory}.pid`, String(process.pid))
    return lock
  } catch (cause) {
    if (!(cause instanceof FileLockedError)) throw cause
    const pid = readHolder(directory)
    const who = pid === undefined ? '' : ` (process ${pid})`
    const message = `The store in ${directory} cannot be opened: another Rollcall runs on it${who}. Stop that one, or set DATA_DIR to another directory.`
    throw new StartError(message, { cause })
  }
}

/** The process that opened the store last, if it is another one and still there. */
function readHolder(directory: string): number | undefined {
  const file = `${directory}.pid`
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid) return undefined
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return undefined
  }
  return pid
}

/** Before a directory is emptied. Throws a `StartError` where another process holds the store. */
export function refuseHeld(directory: string): void {
  const pid = readHolder(directory)
  if (pid !== undefined) lockStore(directory).close()
}

/**
 * Removes files that a full disk leaves empty or cut, and that a start creates again: definitions of views, and of tables that
 * were being created and have no rows yet.
 */
export function removeDerivedFiles(directory: string): string[] {
  const metadata = join(directory, 'metadata/rollcall')
  if (!existsSync(metadata)) return []
  const views = new Set(readViews().map(({ name }) => name))
  const isDerived = (name: string) => {
    const text = readFileSync(join(metadata, `${name}.sql`), 'latin1')
    if (views.has(name) || name.startsWith('_tmp_replace_') || text.startsWith('ATTACH VIEW')) return true
    return text.trim() === '' && !hasParts(join(directory, 'data/rollcall', name))
  }
  const removed = readdirSync(metadata)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .filter(isDerived)
  for (const name of removed) {
    rmSync(join(metadata, `${name}.sql`))
    rmSync(join(directory, 'data/rollcall', name), { force: true })
  }
  return removed
}

function hasParts(table: string): boolean {
  return existsSync(table) && readdirSync(realpathSync(table)).some((name) => /_\d+_\d+_\d+/.test(name))
}
