import type { MiddlewareHandler } from 'hono'

/** Nothing leaves the origin, nothing inline runs, no frame shows the page. `blob:`: a chart on its way to a picture. */
const policy =
  "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('content-security-policy')) c.header('content-security-policy', policy)
  c.header('x-content-type-options', 'nosniff')
  if (!c.res.headers.has('referrer-policy')) c.header('referrer-policy', 'same-origin')
  c.header('cross-origin-opener-policy', 'same-origin')
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'private, no-cache')
}

/**
 * Forms of other sites must not act here, nor their pages ask behind a reader's back, as by the address of an image; their links may
 * lead here. Browsers send the origin of a request; other clients may omit it.
 */
export const sameOriginOnly: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('sec-fetch-site')
  if (site === 'cross-site' && c.req.header('sec-fetch-mode') !== 'navigate')
    return c.text('Another site asked for this.', 403)
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    const origin = c.req.header('origin')
    const foreign =
      site !== undefined
        ? site !== 'same-origin' && site !== 'none'
        : origin !== undefined && URL.parse(origin)?.host !== c.req.header('host')
    if (foreign) return c.text('This form belongs to another site.', 403)
  }
  return next()
}

/** No page sends forms as multipart, and a broken one would be an error of ours. */
export const noMultipart: MiddlewareHandler = (c, next) =>
  /^multipart\//i.test(c.req.header('content-type') ?? '')
    ? Promise.resolve(c.text('Send forms as application/x-www-form-urlencoded.', 415))
    : next()
