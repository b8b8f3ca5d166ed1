import type { MiddlewareHandler } from 'hono'
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

function isForPrograms(path: string): boolean {
  return /^\/(api|assets)\/|\.(csv|sql)$/.test(path)
}
