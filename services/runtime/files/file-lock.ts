/**
 * A lock with one holder, across threads and processes. It is SQLite's own lock on an empty database, so the kernel
 * releases it when its holder dies; a file with a process id would outlive a kill.
 */
import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export class FileLockedError extends Error {
  override readonly name = 'FileLockedError'
  readonly code = 'FILE_LOCKED'
}

const sqliteBusy = 5
const sqliteNotADatabase = 26

/** Throws a `FileLockedError` where another holder has it, also after `waitMs` (default 0), in which this thread stands still. */
export function openFileLock(path: string, waitMs = 0): { close(): void } {
  try {
    return lock(path, waitMs)
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteNotADatabase) throw error
    // Something has written into it. It holds nothing to lose, and nobody can hold the lock.
    rmSync(path)
    return lock(path, waitMs)
  }
}

function lock(path: string, timeout: number): { close(): void } {
  // SQLite opens a file that may only be read, and then locks nothing.
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
  const database = new DatabaseSync(path, { timeout })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if ((cause as { errcode?: number }).errcode !== sqliteBusy) throw cause
    throw new FileLockedError(`${path} is locked by another process.`, { cause })
  }
  return { close: () => database.close() }
}
