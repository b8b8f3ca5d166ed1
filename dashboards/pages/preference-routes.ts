import { type Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { isLanguage } from '../../language/language.ts'
import { languageCookie } from '../../language/read-in-language.ts'
import { toLocalPath } from '../http/local-path.ts'
import { isTheme, themeCookie } from '../http/page-request.ts'

/** Theme and language are cookies, so that the first byte of a page already has the right ones. */
export function preferenceRoutes(): Hono {
  async function choose(c: Context, name: string, cookie: string, isKnown: (value: unknown) => value is string) {
    const { [name]: value, back } = await c.req.parseBody()
    if (isKnown(value)) setCookie(c, cookie, value, { path: '/', sameSite: 'Lax', maxAge: 34_560_000 })
    return c.redirect(toLocalPath(back), 303)
  }
  return new Hono()
    .post('/theme', (c) => choose(c, 'theme', themeCookie, isTheme))
    .post('/language', (c) => choose(c, 'language', languageCookie, isLanguage))
}
