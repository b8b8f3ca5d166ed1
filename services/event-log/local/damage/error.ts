/** The error of a damaged file of the local log, and how it is told from other errors. */
import { join } from 'node:path'
import { StartError } from '../../../config/start-error.ts'

/** The log cannot be used as it is; the message names the way out. */
export class LogDamagedError extends StartError {
  readonly code = 'LOG_DAMAGED'
}

export function toLogDamagedError(directory: string, cause: unknown): LogDamagedError {
  if (cause instanceof LogDamagedError) return cause
  const words = cause instanceof Error ? cause.message : String(cause)
  return new LogDamagedError(
    `The event log in ${directory} is damaged (${words}). Stop Rollcall and run: rollcall log repair. It keeps every delivery that can be read, and puts the damaged file aside.`,
    { cause },
  )
}

/** The content is unknown: something else is in its place, or may not be touched. */
export function toUnusableError(directory: string, cause: unknown): StartError | undefined {
  const { errcode, code, message } = cause as { errcode?: number; code?: string; message: string }
  if (errcode !== undefined && (errcode & 0xff) === cannotOpen) {
    return new StartError(
      `${join(directory, 'log.sqlite')} cannot be opened (${message}). It must be a file that Rollcall may read and write, in a directory in which it may make others. Mend that, or set another directory.`,
      { cause },
    )
  }
  if (!['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(code ?? '')) return undefined
  return new StartError(
    `The event log needs a directory at ${directory} (${message}). Move away what is there, or set another directory.`,
    { cause },
  )
}

const cannotOpen = 14
const corrupt = 11
const notADatabase = 26
/** A page that the file is too short for. */
const shortRead = 522

export function isDamage(error: unknown): boolean {
  if (error instanceof LogDamagedError) return true
  const code = (error as { errcode?: number }).errcode
  return code !== undefined && (code === shortRead || [corrupt, notADatabase].includes(code & 0xff))
}

/** Errors at the opening that say nothing about the content of the file: busy, locked, out of memory, I/O, full, no access. */
const notAboutContent = new Set([3, 5, 6, 7, 10, 13, 14, 15, 23])

/** A damaged first page may claim anything: another version, another page size, tables that are not there. */
export function isDamageAtOpening(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return isDamage(error) || (code !== undefined && !notAboutContent.has(code & 0xff))
}

/** `undefined`: the file does not give it. */
export function ignoreDamage<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (!isDamage(error)) throw error
    return undefined
  }
}
