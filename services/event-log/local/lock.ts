/** One holder per role and log directory, across threads and processes. */
import { join } from 'node:path'
import { StartError } from '../../config/start-error.ts'
import { FileLockedError, openFileLock } from '../../runtime/files/file-lock.ts'

export function openLocalLock(directory: string, role: 'writer' | 'reader'): { close(): void } {
  try {
    return openFileLock(join(directory, `${role}.lock`))
  } catch (cause) {
    if (!(cause instanceof FileLockedError)) throw cause
    throw new StartError(
      `Another ${role} already has the event log in ${directory} open. Stop that process, or give this one another DATA_DIR.`,
      { cause },
    )
  }
}
