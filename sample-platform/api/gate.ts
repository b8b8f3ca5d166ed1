/** The checks before every endpoint: token, hourly limit, content type. Also the form of errors. */
import type { Context, MiddlewareHandler } from 'hono'

export type GateOptions = LimitOptions & {
  /** Tokens that work. */
  tokens: readonly string[]
  /** Tokens whose admin was deleted: 403. */
  forbiddenTokens?: readonly string[]
  /** Real time, for the limit. Default `Date.now`. */
  clock?: () => number
}

export function createGate(options: GateOptions): MiddlewareHandler {
  const { tokens, forbiddenTokens = [], clock = Date.now } = options
  const isWithinLimit = createLimiter(options)
  return async (context, next) => {
    const header = context.req.header('authorization') ?? ''
    const token = /^Bearer (.+)$/.exec(header)?.[1] ?? ''
    if (forbiddenTokens.includes(token))
      return failure(context, 403, 'forbidden', 'This token may not do that.')
    if (!tokens.includes(token)) return context.text('Unauthorized', 401)
    // Live platforms give no Retry-After here.
    if (!isWithinLimit(clock())) return context.json({ error: 'Rate limit exceeded' }, 429)
    const { method } = context.req
    const isJson = /^application\/json\b/i.test(context.req.header('content-type') ?? '')
    if (method !== 'GET' && !isJson)
      return failure(context, 400, 'invalid', 'Content-type must be application/json.')
    return next()
  }
}

export function failure(
  context: Context,
  status: 400 | 403 | 404,
  type: 'forbidden' | 'not_found' | 'invalid',
  message: string,
) {
  return context.json({ type, message }, status)
}

/** Live platforms often say no more than this. */
export function badRequest(context: Context) {
  return context.json({}, 400)
}

/** The call limit of live platforms, without the bursts that they let pass now and then. */
export type LimitOptions = {
  /** Calls in any hour. Default 3,000. */
  callsPerHour?: number
}

const hourMs = 3_600_000

/** Whether the call at this instant is within the limit; if so, it counts. */
function createLimiter({ callsPerHour = 3_000 }: LimitOptions): (at: number) => boolean {
  const calls: number[] = []
  return (at) => {
    while (calls.length > 0 && (calls[0] as number) <= at - hourMs) calls.shift()
    if (calls.length >= callsPerHour) return false
    calls.push(at)
    return true
  }
}
