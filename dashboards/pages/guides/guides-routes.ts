import { Hono } from 'hono'
import { parseScope, toNotices } from '../../../reporting/scope/parse-scope.ts'
import { guideScopeParameters } from '../../api/routes/guides.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { GuidesPage } from './guides-page.tsx'
import { guideRows, guideTables } from '../../../reporting/exports/guide-tables.ts'
import { toParams } from '../../api/api-context.ts'
import { sendTable } from '../send-table.ts'
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

  app.get('/guides/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const [what = '', extension = ''] = c.req.param('file').split('.')
    const table = guideTables.find((each) => each === what)
    if (table === undefined) return c.notFound()
    const now = routes.clock()
    const params = new URLSearchParams([...toParams(c)].filter(([key]) => guideKeys.includes(key)))
    const { scope, applied } = parseScope(params, { now, settings: routes.settings, ignore: ['guide'] })
    const guide = params.getAll('guide').filter(Boolean)
    for (const id of guide) applied.append('guide', id)
    try {
      const guides = await routes.guides(scope, guide)
      const rows = guideRows(guides, table)
      return sendTable(c, {
        what: `guides-${table}`,
        extension,
        rows,
        asOf: now,
        params: applied,
        sample: guides.sample,
      })
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
