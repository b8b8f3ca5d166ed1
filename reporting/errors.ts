/** The store cannot answer now (busy, starting, unreachable): the page says so, answers 503 and offers a retry. */
export class DataUnavailableError extends Error {
  override readonly name = 'DataUnavailableError'
  readonly code = 'DATA_UNAVAILABLE'
  readonly retryAfterMs: number
  constructor(message: string, options: { retryAfterMs: number; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The error of a statement as its caller sees it. */
export function toOwnError(error: unknown, name: string): unknown {
  return isPassing(error)
    ? new DataUnavailableError(`The store could not answer "${name}" just now`, {
        retryAfterMs: 2_000,
        cause: error,
      })
    : error
}

/** Too slow, too busy, out of memory, unreachable, or an answer that was cut: conditions that may pass. */
const passingCodes = new Set(
  `159 202 209 210 241 439 ECONNREFUSED ECONNRESET EHOSTUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT SERVER_AWAY
  ERR_STREAM_PREMATURE_CLOSE Z_BUF_ERROR`.split(/\s+/),
)

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && passingCodes.has(String(error.code))
}
