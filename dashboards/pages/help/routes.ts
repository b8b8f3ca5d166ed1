import type { Hono } from 'hono'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { toApiSignIn, toApiWords, withAttributes } from '../../api/openapi.ts'
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
  app.get('/help/api', (c) => {
    const described = operations.map((each) => withAttributes(each, routes.settings.userAttributes ?? []))
    const description = toApiWords(toApiSignIn(routes.entrance))
    return c.html(ApiPage({ context: pageContext(c, routes), description, operations: described }))
  })
}
