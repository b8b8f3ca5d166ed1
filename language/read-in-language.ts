import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { reading, readingOf, toReading } from './language.ts'

export const languageCookie = 'rollcall_language'

/** Pages and sheets are in the language of their reader. Other files and the API are for programs, and stay English. */
export const readInLanguage: MiddlewareHandler = async (c, next) => {
  // Said, not left out: a page can ask the API from within.
  if (isForPrograms(c.req.path) && c.req.query('format') !== 'xlsx') return reading(readingOf('en'), next)
  const as = toReading(getCookie(c, languageCookie), c.req.header('accept-language'))
  await reading(as, next)
  c.res.headers.append('vary', 'Accept-Language')
  if (!/\bcookie\b/i.test(c.res.headers.get('vary') ?? '')) c.res.headers.append('vary', 'Cookie')
}

/** The headers that a request from within brings along to be answered in the language of the reader. */
export function languageHeaders(c: Context): Record<string, string> {
  const language = c.req.header('accept-language')
  const chosen = getCookie(c, languageCookie)
  return {
    ...(language !== undefined && { 'accept-language': language }),
    ...(chosen !== undefined && { cookie: `${languageCookie}=${encodeURIComponent(chosen)}` }),
  }
}

function isForPrograms(path: string): boolean {
  return /^\/(api|assets)\/|\.(csv|sql)$/.test(path)
}
