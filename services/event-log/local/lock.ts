/**
 * One holder per role and log directory, across threads and processes. The lock is SQLite's own on an empty database, so
 * the kernel lets go of it when its holder dies in whatever way; a file with a process id in it would outlive a kill.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class LogInUseError extends Error {
  override readonly name = 'LogInUseError'
  readonly code = 'LOG_IN_USE'
}

export function openLocalLock(directory: string, role: 'writer' | 'reader'): { close(): void } {
  const database = new DatabaseSync(join(directory, `${role}.lock`), { timeout: 0 })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if ((cause as { errcode?: number }).errcode !== 5) throw cause
    throw new LogInUseError(
      `Another ${role} already has the event log in ${directory} open. Stop that process, or give this one another DATA_DIR.`,
      { cause },
    )
  }
  return { close: () => database.close() }
}
