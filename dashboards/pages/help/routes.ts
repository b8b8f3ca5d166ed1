import type { Hono } from 'hono'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { createOpenApi, toApiSignIn } from '../../api/openapi.ts'
import { operations } from '../../api/operations.ts'
import { ApiPage } from './api-page.tsx'
import { HelpPage } from './page.tsx'

/** `/help` asks the store for nothing: it answers also while the store does not. */
export function mountHelp(app: Hono, routes: RouteContext): void {
  app.get('/help', (c) => {
    const find = (c.req.query('q') ?? '').slice(0, 100)
    return c.html(
      HelpPage({ context: pageContext(c, routes), find, isExact: c.req.query('exact') === 'yes' }),
    )
  })
  let document: ReturnType<typeof createOpenApi> | undefined
  app.get('/help/api', (c) => {
    document ??= createOpenApi(operations, toApiSignIn(routes.entrance), routes.settings.userAttributes)
    return c.html(ApiPage({ context: pageContext(c, routes), document }))
  })
}
