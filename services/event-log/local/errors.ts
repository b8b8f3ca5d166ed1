/** Why a local log cannot be used, in one sentence for the operator. "Damaged" only where SQLite's code says so. */
import { join } from 'node:path'
import { StartError, toDamagedError } from '../../config/start-error.ts'

const codes = {
  error: 1,
  permission: 3,
  readOnly: 8,
  corrupt: 11,
  cannotOpen: 14,
  authorization: 23,
  notADatabase: 26,
}
/** A page that the file is too short for. */
const shortRead = 522

export function isDamage(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string }
  // A number that no record has.
  if (code === 'ERR_OUT_OF_RANGE') return true
  return (
    errcode !== undefined &&
    (errcode === shortRead || [codes.corrupt, codes.notADatabase].includes(errcode & 0xff))
  )
}

/** Errors that say nothing about the file, as a full disk, come back as they are. */
export function toLogError(directory: string, cause: unknown): unknown {
  if (cause instanceof StartError) return cause
  const file = join(directory, 'log.sqlite')
  if (isDamage(cause)) return toDamagedError(file, (cause as Error).message, cause)
  const { errcode = 0, code = '', message } = cause as { errcode?: number; code?: string; message: string }
  const result = errcode & 0xff
  if ([codes.cannotOpen, codes.permission, codes.readOnly, codes.authorization].includes(result)) {
    return new StartError(
      `${file} cannot be opened (${message}): it must be a file that Rollcall may read and write, in a directory where it may make others.`,
      { cause },
    )
  }
  if (result === codes.error) {
    return new StartError(
      `${file} is not an event log of this version (${message}). Move it away, and start again.`,
      {
        cause,
      },
    )
  }
  if (!['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code)) return cause
  return new StartError(
    `The event log needs a directory at ${directory} (${message}). Move away what is there, or set another directory.`,
    { cause },
  )
}
