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
