/**
 * Everything that can go wrong between us and the platform, as a closed list. Messages tell the owner what happened and
 * what to do.
 */

export type PlatformErrorCode =
  /** 401: the token is not (or no longer) valid. */
  | 'UNAUTHORIZED'
  /** 403: the token may not do that, or its admin was deleted. */
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  /** 404 or 405 of a whole list: the platform does not have it. */
  | 'NOT_OFFERED'
  /** Any other 4xx: the request itself was wrong for this platform. */
  | 'REFUSED'
  /** 429 */
  | 'RATE_LIMITED'
  /** 5xx */
  | 'FAILED'
  /** No connection, or it broke before an answer began. */
  | 'UNREACHABLE'
  | 'TIMED_OUT'
  /** The answer broke off, or is not JSON. */
  | 'UNREADABLE'
  /** JSON of an unexpected shape. */
  | 'UNEXPECTED'
  | 'TOO_LARGE'
  /** The same page again and again, or impossibly many pages. */
  | 'ENDLESS'
  /** Stopped or closed on our side. */
  | 'STOPPED'

const transientCodes: readonly PlatformErrorCode[] = [
  'RATE_LIMITED',
  'FAILED',
  'UNREACHABLE',
  'TIMED_OUT',
  'UNREADABLE',
]

/** They are about all calls, not about what was asked for. */
const generalCodes: readonly PlatformErrorCode[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'UNREACHABLE',
  'NOT_OFFERED',
  'STOPPED',
]

/** After so many failed calls in a row the cause is not what each of them asks for (`isAboutOne`). */
export const mostFailuresInARow = 5

export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: PlatformErrorCode
  /** Status of the answer, if there was one. */
  readonly status: number | undefined
  /** How long the platform asked to wait. */
  readonly retryAfterMs: number | undefined
  /** True for a write that the platform may have executed without an answer. False for every read. */
  readonly mayHaveHappened: boolean
  /** The platform confirmed the write; only the rest of its answer was unreadable. */
  readonly isDone: boolean
  constructor(
    code: PlatformErrorCode,
    message: string,
    options: {
      status?: number
      retryAfterMs?: number
      mayHaveHappened?: boolean
      isDone?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.isDone = options.isDone ?? false
    this.mayHaveHappened = this.isDone || (options.mayHaveHappened ?? false)
  }

  /** Whether the cause may pass by itself. */
  get isTransient(): boolean {
    return transientCodes.includes(this.code)
  }

  /** Whether the same call for somebody or something else may well succeed. */
  get isAboutOne(): boolean {
    return !generalCodes.includes(this.code)
  }

  /** Whether the same call may be made again as it is. A write that may have happened must be looked up first. */
  get isRetryable(): boolean {
    return !this.mayHaveHappened && this.isTransient
  }
}
