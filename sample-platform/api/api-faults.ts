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

const shares = ['throttled', 'failing', 'slow', 'truncated', 'garbled'] as const

/**
 * `throttled`: 429 without `Retry-After` although the limit is not reached. `failing`: 500, 502 or 503. `slow`: answered
 * after `slowMs`. `truncated`: the connection breaks in the middle of the answer. `garbled`: 200 without valid JSON.
 * Half of the failing or broken POST, PATCH and DELETE calls take effect all the same.
 */
export type ApiFaultOptions = Partial<Record<(typeof shares)[number], number>> & {
  /** Default 5,000. */
  slowMs?: number
  /** Outage: connections are cut without an answer. Called with the real time. */
  isDown?: ((at: number) => boolean) | undefined
}

type NextFault = {
  /** `cut`: no answer. `hang`: no answer until the caller gives up. */
  fault: (typeof shares)[number] | 'cut' | 'hang'
  /** Which calls; default any. `path` is without `/api/v1`. */
  method?: string
  path?: RegExp
  /** How many calls. Default 1. */
  times?: number
  /** Whether the call takes effect nevertheless. Default false. */
  carriedOut?: boolean
  slowMs?: number
}

export function createApiFaults(seed: string, initial: ApiFaultOptions, clock: () => number) {
  const random = createRandom(`${seed}/api-faults`)
  const planned: NextFault[] = []
  let options = initial

  function choose({ method, path }: { method: string; path: string }): NextFault | undefined {
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
    const fault = shares.find((share) => chance(random, options[share] ?? 0))
    return fault && { fault, carriedOut: chance(random, 0.5) }
  }

  const middleware: MiddlewareHandler = async (context, next) => {
    const { method, path } = context.req
    const chosen = choose({ method, path: path.replace(/^\/api\/v1/, '') })
    if (chosen === undefined) return next()
    const { fault, carriedOut = false } = chosen
    if (fault === 'slow') {
      if (carriedOut) await next()
      await sleep(chosen.slowMs ?? options.slowMs ?? 5_000)
      return carriedOut ? undefined : next()
    }
    if (fault !== 'throttled' && (method === 'GET' || carriedOut)) await next()
    const text = context.finalized ? await context.res.clone().text() : ''
    const { socket } = (context.env as HttpBindings).incoming
    if (fault === 'hang' && !socket.destroyed) await once(socket, 'close')
    const response = toBroken(context, fault, text)
    // The framework ignores an answer that is returned after `next`, and headers of the earlier answer would stay.
    context.res = undefined
    context.res = response
    return undefined
  }

  function toBroken(context: Context, fault: NextFault['fault'], text: string): Response {
    if (fault === 'throttled') return context.json({ error: 'Rate limit exceeded' }, 429)
    if (fault === 'failing')
      return context.json({ error: 'Something went wrong' }, pick(random, [500, 502, 503] as const))
    if (fault === 'truncated' && text !== '') return cutInTheMiddle(context, text)
    if (fault !== 'garbled') {
      ;(context.env as HttpBindings).incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
    return text.length > 2 && chance(random, 0.5)
      ? context.body(text.slice(0, text.length >> 1), 200, { 'content-type': 'application/json' })
      : context.html('<html><body><h1>We will be right back</h1></body></html>', 200)
  }

  return {
    /** Replaces the shares. */
    set: (others: ApiFaultOptions) => void (options = others),
    /** Picks the next matching call or calls. */
    next: (fault: NextFault) => void planned.push({ ...fault }),
    middleware,
  }
}

/** Writes half of the answer to the socket, because a framework would complete it. */
function cutInTheMiddle(context: Context, text: string): Response {
  const { outgoing } = context.env as HttpBindings
  const bytes = Buffer.from(text)
  outgoing.writeHead(context.res.status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  })
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}
