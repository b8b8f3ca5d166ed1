import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { toLocalPath } from '../http/local-path.ts'
import { isTheme, themeCookie } from '../http/page-request.ts'

/** The theme is a cookie, so that the first byte of a page already has the right one. */
export function themeRoutes(): Hono {
  const app = new Hono()
  app.post('/theme', async (c) => {
    const { theme, back } = await c.req.parseBody()
    if (isTheme(theme)) setCookie(c, themeCookie, theme, { path: '/', sameSite: 'Lax', maxAge: 34_560_000 })
    return c.redirect(toLocalPath(back), 303)
  })
  return app
}
