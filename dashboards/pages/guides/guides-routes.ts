import { Hono } from 'hono'
import { parseScope, toNotices } from '../../../reporting/scope/parse-scope.ts'
import { guideScopeParameters } from '../../api/routes/guides.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { GuidesPage } from './guides-page.tsx'
import { pageContext, unknownKeyNotices } from '../page-request.ts'
import { dataProblem } from '../problem/problems.ts'

const guideKeys = [...guideScopeParameters, 'guide']

export function guidesRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/guides', async (c) => {
    const now = routes.clock()
    const context = pageContext(c, routes, { now })
    const own = new URLSearchParams([...context.params].filter(([key]) => guideKeys.includes(key)))
    const { scope, problems } = parseScope(own, { now, settings: routes.settings, ignore: ['guide'] })
    const notices = [...unknownKeyNotices(context.params, guideKeys), ...toNotices(problems)]
    try {
      const guides = await routes.guides(scope, own.getAll('guide').filter(Boolean))
      return await c.html(GuidesPage({ context, guides, notices }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
