/**
 * Faults of the API, on purpose and repeatable. Shares are probabilities per call, 0..1, drawn from a seeded stream;
 * tests can also pick single calls.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { chance, createRandom, pick } from '../random.ts'

export type ApiFaultOptions = {
  /** Answered 401 although the token is good. */
  unauthorized?: number
  /** Answered 429 without `Retry-After` although the limit is not reached. */
  throttled?: number
  /** Answered 500, 502 or 503. */
  failing?: number
  /** Answered only after `slowMs`. Default 5,000. */
  slow?: number
  slowMs?: number
  /** The connection breaks in the middle of the answer. */
  truncated?: number
  /** Answered 200 without valid JSON: the first half of the answer, or an HTML page. */
  garbled?: number
  /**
   * Share of failing or broken POST, PATCH and DELETE calls that take effect all the same. Slow ones take effect before
   * the wait. Default 0.5.
   */
  carriedOut?: number
  /** Outage: connections are cut without an answer. Called with the real time. */
  isDown?: ((at: number) => boolean) | undefined
}

/** `hang`: no answer until the caller gives up. */
export type ApiFault =
  'unauthorized' | 'throttled' | 'failing' | 'slow' | 'truncated' | 'garbled' | 'cut' | 'hang'

type NextFault = {
  fault: ApiFault
  /** Which calls; default any. `path` is without `/api/v1`. */
  method?: string
  path?: RegExp
  /** How many calls. Default 1. */
  times?: number
  /** Whether the call takes effect nevertheless. Default false. */
  carriedOut?: boolean
  slowMs?: number
  /** A slow call is answered once this has come, instead of after a time. */
  heldUntil?: Promise<unknown>
}

export type ApiFaults = ReturnType<typeof createApiFaults>

const order = ['unauthorized', 'throttled', 'failing', 'slow', 'truncated', 'garbled'] as const

export function createApiFaults(seed: string, initial: ApiFaultOptions, clock: () => number) {
  const random = createRandom(`${seed}/api-faults`)
  const planned: NextFault[] = []
  let options = initial

  function choose(method: string, path: string): Omit<NextFault, 'times'> | undefined {
    const index = planned.findIndex(
      (one) => (one.method ?? method) === method && (one.path?.test(path) ?? true),
    )
    const plan = planned[index]
    if (plan !== undefined) {
      plan.times = (plan.times ?? 1) - 1
      if (plan.times <= 0) planned.splice(index, 1)
      return plan
    }
    if (options.isDown?.(clock()) === true) return { fault: 'cut' }
    for (const fault of order) {
      if (!chance(random, options[fault] ?? 0)) continue
      return { fault, carriedOut: chance(random, options.carriedOut ?? 0.5) }
    }
    return undefined
  }

  return {
    /** Replaces the shares. */
    set: (others: ApiFaultOptions) => void (options = others),
    /** Picks the next matching call or calls. */
    next: (fault: NextFault) => void planned.push({ ...fault }),
    middleware: (async (context, next) => {
      const chosen = choose(context.req.method, context.req.path.replace(/^\/api\/v1/, ''))
      if (chosen === undefined) return next()
      const { fault, carriedOut = false } = chosen
      // The framework ignores an answer that is returned after `next`, and headers of the earlier answer would stay.
      const answer = (response: Response) => {
        context.res = undefined
        context.res = response
      }
      if (fault === 'unauthorized') return answer(context.text('Unauthorized', 401))
      if (fault === 'throttled') return answer(context.json({ error: 'Rate limit exceeded' }, 429))
      if (fault === 'slow') {
        if (carriedOut) await next()
        await (chosen.heldUntil ?? sleep(chosen.slowMs ?? options.slowMs ?? 5_000))
        return carriedOut ? undefined : next()
      }
      if (context.req.method === 'GET' || carriedOut) await next()
      if (fault === 'hang') {
        const { socket } = (context.env as HttpBindings).incoming
        if (!socket.destroyed) await once(socket, 'close')
        return answer(cut(context))
      }
      const text = context.finalized ? await context.res.clone().text() : ''
      switch (fault) {
        case 'failing':
          return answer(
            context.json({ error: 'Something went wrong' }, pick(random, [500, 502, 503] as const)),
          )
        case 'cut':
          return answer(cut(context))
        case 'truncated':
          return answer(context.finalized ? cutInTheMiddle(context, text) : cut(context))
        case 'garbled':
          return answer(
            chance(random, 0.5) && text.length > 2
              ? context.body(text.slice(0, text.length >> 1), 200, { 'content-type': 'application/json' })
              : context.html('<html><body><h1>We will be right back</h1></body></html>', 200),
          )
      }
    }) satisfies MiddlewareHandler,
  }
}

function cut(context: Context): Response {
  ;(context.env as HttpBindings).incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

/**
 * Sends the first half, then cuts the connection. It writes to the socket, because a framework would complete the answer.
 */
function cutInTheMiddle(context: Context, text: string): Response {
  const { status, headers } = context.res
  const { outgoing } = context.env as HttpBindings
  const bytes = Buffer.from(text)
  const type = headers.get('content-type') ?? 'application/json'
  outgoing.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}
