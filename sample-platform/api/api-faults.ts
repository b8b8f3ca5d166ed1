/** Faults of the API, on purpose and repeatable. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { chance, createRandom, pick } from '../random.ts'

export type ApiFault = {
  /**
   * `throttled`: 429 without `Retry-After` although the limit is not reached. `failing`: 500, 502 or 503. `slow`: answered
   * after `slowMs`, default 5,000. `truncated`: the connection breaks in the middle of the answer. `garbled`: 200 without
   * valid JSON. `cut`: no answer. `hang`: no answer until the caller gives up.
   */
  fault: 'throttled' | 'failing' | 'slow' | 'truncated' | 'garbled' | 'cut' | 'hang'
  /** Which calls; default any. `path` is without `/api/v1`. */
  method?: string
  path?: RegExp
  /** Of these calls, as a probability 0..1. Default 1. */
  share?: number
  /** How many calls. Default 1. */
  times?: number
  /** Whether a POST, PATCH or DELETE takes effect nevertheless. Default false. */
  carriedOut?: boolean
  slowMs?: number
}

export function createApiFaults(seed: string) {
  const random = createRandom(`${seed}/api-faults`)
  const planned: ApiFault[] = []

  function choose({ method, path }: { method: string; path: string }): ApiFault | undefined {
    const isMeant = (one: ApiFault) => (one.method ?? method) === method && (one.path?.test(path) ?? true)
    const index = planned.findIndex((one) => isMeant(one) && chance(random, one.share ?? 1))
    const plan = planned[index]
    if (plan === undefined) return undefined
    plan.times = (plan.times ?? 1) - 1
    if (plan.times <= 0) planned.splice(index, 1)
    return plan
  }

  const middleware: MiddlewareHandler = async (context, next) => {
    const { method, path } = context.req
    const chosen = choose({ method, path: path.replace(/^\/api\/v1/, '') })
    if (chosen === undefined) return next()
    const { fault, carriedOut = false } = chosen
    if (fault === 'slow') {
      if (carriedOut) await next()
      await sleep(chosen.slowMs ?? 5_000)
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

  function toBroken(context: Context, fault: ApiFault['fault'], text: string): Response {
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
    /** For the next calls that match. */
    next: (fault: ApiFault) => void planned.push({ ...fault }),
    clear: () => void planned.splice(0),
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
