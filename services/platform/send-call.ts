/** One call to the platform: sends it, reads the complete answer, and turns failures into a `PlatformError`. */
import { readUpTo } from '../runtime/http/read-body.ts'
import { parseJson } from '../../schemas/json.ts'
import { PlatformError, type PlatformErrorCode } from './platform-error.ts'

export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: URL
  /** Sent as JSON. */
  body?: unknown
}

type CallLimits = {
  token: string
  /** For the complete answer. */
  timeoutMs: number
  maxAnswerBytes: number
}

/** The JSON of the answer; `undefined` for an empty one. */
export async function sendCall(call: Call, limits: CallLimits, stop: AbortSignal): Promise<unknown> {
  const { method, url, body } = call
  const { token, timeoutMs, maxAnswerBytes } = limits
  const isWrite = method !== 'GET'
  const timeout = AbortSignal.timeout(timeoutMs)
  let response: Response | undefined
  try {
    response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(isWrite && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would send the token to its target.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, stop]),
    })
    if (!response.ok) {
      await response.body?.cancel().catch(() => undefined)
      throw toRefusal(response, isWrite)
    }
    const bytes = await readUpTo(response.body, maxAnswerBytes, () => {
      const message = `The platform's answer is larger than ${maxAnswerBytes} bytes.`
      return new PlatformError('TOO_LARGE', message, { isDone: isWrite })
    })
    return bytes.length === 0 ? undefined : parseJson(bytes.toString('utf8'))
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause
    // The status of a write is enough.
    const isDone = isWrite && response !== undefined
    const fail = (code: PlatformErrorCode, message: string) =>
      new PlatformError(code, message, { cause, mayHaveHappened: isWrite, isDone })
    if (stop.aborted && !isDone) throw fail('STOPPED', 'The call was given up.')
    if (timeout.aborted && !isDone)
      throw fail('TIMED_OUT', `The platform did not answer within ${timeoutMs} ms.`)
    if (response === undefined) throw toUnreachable(cause, isWrite)
    const message = 'The platform answered with something that is not JSON, or with half of it.'
    throw fail('UNREADABLE', message)
  }
}

/** Nothing was sent without a connection; after a broken one it is unknown. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function toUnreachable(cause: unknown, isWrite: boolean): PlatformError {
  const code = ((cause as Error).cause as { code?: string } | undefined)?.code ?? ''
  const why = code === '' ? 'the connection broke' : code
  const message = `The platform cannot be reached (${why}). Check PLATFORM_URL and the way there.`
  return new PlatformError('UNREACHABLE', message, {
    cause,
    mayHaveHappened: isWrite && !neverSent.has(code),
  })
}

const deadToken =
  'A token belongs to an admin user and dies with that user: check that the user is active and still an admin, ' +
  'or make a new token and set PLATFORM_TOKEN.'

function toRefusal({ status, headers }: Response, isWrite: boolean): PlatformError {
  const refuse = (code: PlatformErrorCode, message: string) => new PlatformError(code, message, { status })
  if (status === 401) return refuse('UNAUTHORIZED', `The platform refuses the token (401). ${deadToken}`)
  if (status === 403) return refuse('FORBIDDEN', `The platform forbids this to the token (403). ${deadToken}`)
  if (status === 404) return refuse('NOT_FOUND', 'The platform has nothing there (404).')
  if (status === 429) {
    const message = 'The platform says that there were too many calls (429).'
    return new PlatformError('RATE_LIMITED', message, { status, ...toRetryAfter(headers.get('retry-after')) })
  }
  if (status >= 500)
    return new PlatformError('FAILED', `The platform failed (${status}).`, {
      status,
      mayHaveHappened: isWrite,
    })
  const words =
    status < 400
      ? `sends us elsewhere (${status}): set PLATFORM_URL to that place`
      : `refuses the request (${status})`
  return refuse('REFUSED', `The platform ${words}.`)
}

/** A platform that asks for more is asked again after this. */
const longestRetryAfterMs = 3_600_000

/** Seconds, or a date. */
function toRetryAfter(header: string | null): { retryAfterMs?: number } {
  if (header === null) return {}
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return ms > 0 ? { retryAfterMs: Math.min(longestRetryAfterMs, ms) } : {}
}
