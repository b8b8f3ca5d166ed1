/** Where a form or a sign-in leads back to: a path of this server, or nowhere. */

const here = 'http://here.invalid'

/**
 * The path and query as a browser reads them, which drops tabs and line breaks and takes `\` for `/`. Anything that leads to another
 * origin, and what no header can hold, gives `/`.
 */
export function toLocalPath(back: unknown): string {
  if (typeof back !== 'string' || !back.startsWith('/') || back.length > 4_096) return '/'
  const url = URL.parse(back, here)
  if (url === null || url.origin !== here) return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path may begin with two slashes again, which would name a host.
  return URL.parse(path, here)?.origin === here && !path.startsWith('//') ? path : '/'
}
