import type { Context, MiddlewareHandler } from 'hono'
import { t } from '../../language/translate.ts'
import { readUpTo } from '../../services/runtime/http/read-body.ts'

const tooLarge = new Error('The body is too large')

/**
 * Reads the body before a handler does, whether or not the request says its length. `refuse` answers a larger one. Hono's own limit
 * fails where no length is said: it copies a Request, which the listener's is not.
 */
export function limitBody(
  maxBytes: number,
  refuse: (c: Context) => Response = refuseForm,
): MiddlewareHandler {
  return async (c, next) => {
    const { url, method, headers, signal, body: stream } = c.req.raw
    if (stream === null) return next()
    try {
      const body = await readUpTo(stream, maxBytes, () => tooLarge)
      c.req.raw = new Request(url, { method, headers, signal, body })
    } catch (error) {
      // Whoever sent it has gone: nobody reads an answer, and nothing is wrong here.
      if (isGone(c)) return c.body(null, 400)
      if (error !== tooLarge) throw error
      const answer = refuse(c)
      // The rest is not read, so nothing else can come on this connection.
      answer.headers.set('connection', 'close')
      return answer
    }
    return next()
  }
}

/** The connection broke before the body was there. */
function isGone(c: Context): boolean {
  const { incoming } = (c.env ?? {}) as { incoming?: { destroyed: boolean; complete: boolean } }
  return incoming?.destroyed === true && !incoming.complete
}

const refuseForm = (c: Context) => c.text(t('The form is too large.'), 413)

/** For all forms: the longest are a statement of 1 MiB, percent-encoded, and lists of people. */
export const anyFormLimit = limitBody(4 * 1024 ** 2)

export const formLimit = limitBody(16 * 1024)

/** A field of a form, or all of one name. One that is missing or a file is empty. */
export type Sent = { (name: string): string; all(name: string): string[] }

/** Spaces around a field are none of it, except in passwords. */
const isExact = (name: string) => ['password', 'again', 'current'].includes(name)

export async function readForm(c: Context): Promise<Sent> {
  const body = await c.req.parseBody({ all: true })
  const all = (name: string) => [body[name]].flat().filter((value) => typeof value === 'string')
  const one = (name: string) => (isExact(name) ? all(name)[0] : all(name)[0]?.trim()) ?? ''
  return Object.assign(one, { all })
}

/** The version that the form shows. Undefined: the form has none. */
export const readVersion = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const here = 'http://here.invalid'

/**
 * Where a form or a sign-in leads back to: the path and query as a browser reads them, which drops tabs and line breaks and takes `\`
 * for `/`. Anything that leads to another origin, and what no header can hold, gives `/`.
 */
export function toLocalPath(back: unknown): string {
  if (typeof back !== 'string' || !back.startsWith('/') || back.length > 4_096) return '/'
  const url = URL.parse(back, here)
  if (url === null || url.origin !== here) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path may begin with two slashes again, which would name a host.
  return URL.parse(path, here)?.origin === here && !path.startsWith('//') ? path : '/'
}
