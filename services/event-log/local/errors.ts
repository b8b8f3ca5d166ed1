/** Why a local log cannot be used, in one sentence for the operator. "Damaged" only where SQLite's code says so. */
import { join } from 'node:path'
import { StartError, toDamagedError } from '../../config/start-error.ts'

/** SQLite's results that say that the file is damaged; the last: a page that the file is too short for. */
const damaged = { corrupt: 11, notADatabase: 26, shortRead: 522 }
/** And that something else is there, or a file of somebody else. */
const foreign = { error: 1, permission: 3, readOnly: 8, cannotOpen: 14, authorization: 23 }
const foreignCodes = ['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']

type Failure = { errcode?: number; code?: string; message: string }

const isOneOf = (results: Record<string, number>, errcode: number) =>
  Object.values(results).some((result) => result === errcode || result === (errcode & 0xff))

export function isDamage(error: unknown): boolean {
  const { errcode = 0, code } = error as Failure
  // A number that no record has.
  return code === 'ERR_OUT_OF_RANGE' || isOneOf(damaged, errcode)
}

/** Errors that say nothing about the file, as a full disk, come back as they are. */
export function toLogError(directory: string, cause: unknown): unknown {
  const { errcode = 0, code = '', message } = cause as Failure
  if (cause instanceof StartError) return cause
  if (isDamage(cause)) return toDamagedError(join(directory, 'log.sqlite'), message, cause)
  if (!isOneOf(foreign, errcode) && !foreignCodes.includes(code)) return cause
  return new StartError(
    `${directory} cannot be used as an event log (${message}). It must be a directory with a log of this version, or none, that Rollcall may write. ` +
      'Move away what is there, and start again.',
    { cause },
  )
}
