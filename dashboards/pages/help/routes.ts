import { Hono } from 'hono'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { HelpPage } from './page.tsx'

/** `/help` asks the store for nothing: it answers also while the store does not. */
export function helpRoutes(routes: RouteContext): Hono {
  const app = new Hono()
  app.get('/help', (c) => c.html(HelpPage({ context: pageContext(c, routes, { now: routes.clock() }), sample: false })))
  return app
}
