import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { isLanguage } from '../../language/language.ts'
import { languageCookie } from '../../language/read-in-language.ts'
import { toLocalPath } from '../http/local-path.ts'

/** As the theme: a cookie, set by a form. */
export function languageRoutes(): Hono {
  const app = new Hono()
  app.post('/language', async (c) => {
    const { language, back } = await c.req.parseBody()
    if (isLanguage(language)) setCookie(c, languageCookie, language, { path: '/', sameSite: 'Lax', maxAge: 34_560_000 })
    return c.redirect(toLocalPath(back), 303)
  })
  return app
}
