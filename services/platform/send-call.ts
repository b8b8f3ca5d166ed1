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
  const isWrite = call.method !== 'GET'
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const fail = (code: PlatformErrorCode, message: string, cause: unknown) =>
    new PlatformError(code, message, { cause, mayHaveHappened: isWrite })
  const toGivenUp = (cause: unknown): PlatformError | undefined => {
    if (stop.aborted) return fail('STOPPED', 'The call was given up.', cause)
    if (timeout.aborted)
      return fail('TIMED_OUT', `The platform did not answer within ${limits.timeoutMs} ms.`, cause)
    return undefined
  }

  let response: Response
  try {
    response = await fetch(call.url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${limits.token}`,
        ...(isWrite && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      // A redirect would send the token to its target.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, stop]),
    })
  } catch (cause) {
    throw toGivenUp(cause) ?? toUnreachable(cause, isWrite)
  }
  let text: string
  try {
    const { maxAnswerBytes } = limits
    text = (await readUpTo(response.body, maxAnswerBytes, () => tooLarge(maxAnswerBytes))).toString('utf8')
  } catch (cause) {
    // For a refusal the status is enough.
    if (!response.ok) throw toRefusal(response, isWrite)
    if (cause instanceof PlatformError)
      throw new PlatformError(cause.code, cause.message, { isDone: isWrite })
    // The status of a write is enough.
    const brokenOff = new PlatformError('UNREADABLE', "The platform's answer broke off.", {
      cause,
      isDone: isWrite,
    })
    throw (isWrite ? undefined : toGivenUp(cause)) ?? brokenOff
  }
  if (!response.ok) throw toRefusal(response, isWrite)
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch (cause) {
    const message = 'The platform answered with something that is not JSON, or with half of it.'
    throw new PlatformError('UNREADABLE', message, { cause, isDone: isWrite })
  }
}

function tooLarge(maxBytes: number): PlatformError {
  const message = `The platform's answer is larger than ${maxBytes} bytes.`
  return new PlatformError('TOO_LARGE', message)
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

function toRefusal(response: Response, isWrite: boolean): PlatformError {
  const { status, headers } = response
  const refuse = (code: PlatformErrorCode, message: string) => new PlatformError(code, message, { status })
  if (status === 401) return refuse('UNAUTHORIZED', `The platform refuses the token (401). ${deadToken}`)
  if (status === 403) return refuse('FORBIDDEN', `The platform forbids this to the token (403). ${deadToken}`)
  if (status === 404) return refuse('NOT_FOUND', 'The platform has nothing there (404).')
  if (status === 429) {
    const message = 'The platform says that there were too many calls (429).'
    return new PlatformError('RATE_LIMITED', message, { status, ...toRetryAfter(headers.get('retry-after')) })
  }
  if (status >= 500) {
    const message = `The platform failed (${status}).`
    return new PlatformError('FAILED', message, { status, mayHaveHappened: isWrite })
  }
  if (status >= 300 && status < 400) {
    return refuse('REFUSED', `The platform sends us elsewhere (${status}): set PLATFORM_URL to that place.`)
  }
  return refuse('REFUSED', `The platform refuses the request (${status}).`)
}

/** A platform that asks for more is asked again after this. */
const longestRetryAfterMs = 3_600_000

/** Seconds, or a date. */
function toRetryAfter(header: string | null): { retryAfterMs?: number } {
  if (header === null) return {}
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return ms > 0 ? { retryAfterMs: Math.min(longestRetryAfterMs, ms) } : {}
}
