/** Why a local log cannot be used, in one sentence for the operator. "Damaged" only where SQLite's code says so. */
import { join } from 'node:path'
import { StartError, toDamagedError } from '../../config/start-error.ts'

/** SQLite's results that say that the file is damaged (CORRUPT, NOTADB, IOERR_SHORT_READ) ... */
const damaged = [11, 26, 522]
/** ... and that something else is there, or a file of somebody else (ERROR, PERM, READONLY, CANTOPEN, AUTH, and those of the system). */
const foreign = [1, 3, 8, 14, 23, 'EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']

type Failure = { errcode?: number; code?: string; message: string }

export function isDamage(error: unknown): boolean {
  const { errcode = 0, code } = error as Failure
  // A number that no record has.
  return code === 'ERR_OUT_OF_RANGE' || damaged.includes(errcode) || damaged.includes(errcode & 0xff)
}

/** Errors that say nothing about the file, as a full disk, come back as they are. */
export function toLogError(directory: string, cause: unknown): unknown {
  const { errcode = 0, code = '', message } = cause as Failure
  if (cause instanceof StartError) return cause
  if (isDamage(cause)) return toDamagedError(join(directory, 'log.sqlite'), message, cause)
  if (!foreign.includes(errcode & 0xff) && !foreign.includes(code)) return cause
  return new StartError(
    `${directory} cannot be used as an event log (${message}). It must be a directory with a log of this version, or none, that Rollcall may write. ` +
      'Move away what is there, and start again.',
    { cause },
  )
}
