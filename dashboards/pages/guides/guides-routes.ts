import { Hono } from 'hono'
import type { RouteContext } from '../../dashboards-deps.ts'
import { GuidesPage } from './guides-page.tsx'
import { pageContext } from '../page-request.ts'
import { dataProblem } from '../problem/problems.ts'

export function guidesRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/guides', async (c) => {
    const now = routes.clock()
    const context = pageContext(c, routes, { now })
    try {
      const { guides, notices } = await routes.guides({ params: context.params, now })
      return await c.html(GuidesPage({ context, guides, notices }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
