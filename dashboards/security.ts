import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'

/** Nothing leaves the origin, nothing inline runs, nobody frames the page. */
const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('content-security-policy', policy)
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'same-origin')
  c.header('cross-origin-opener-policy', 'same-origin')
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'private, no-cache')
}

/** Another site's form must not press our buttons. Browsers say where a request comes from; other clients need not. */
export const sameOriginOnly: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    const site = c.req.header('sec-fetch-site')
    const origin = c.req.header('origin')
    const foreign =
      site !== undefined
        ? site !== 'same-origin' && site !== 'none'
        : origin !== undefined && hostOf(origin) !== c.req.header('host')
    if (foreign) return c.text('This form belongs to another site.', 403)
  }
  return next()
}

/**
 * Any website can have a name of its own lead to an address of this machine, and then read what is here as its own. A request
 * by an address or by localhost cannot come that way; other names must be known.
 */
export function knownHostsOnly(hosts: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const name = URL.parse(`http://${c.req.header('host') ?? 'localhost'}`)?.hostname ?? ''
    const isOurs = isIP(name.replaceAll(/[[\]]/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost')
    if (isOurs || hosts.includes(name)) return next()
    return c.text(
      'Rollcall is not known by this name. If it should be: DASHBOARD_HOSTS lists the names by which it is reached.',
      421,
    )
  }
}

function hostOf(origin: string): string | null {
  return URL.parse(origin)?.host ?? null
}
