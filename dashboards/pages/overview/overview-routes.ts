import { Hono } from 'hono'
import { toParams } from '../../api/api-context.ts'
import { currentVisitor } from '../../access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { blockRows, isOverviewBlock } from '../../../reporting/exports/blocks.ts'
import { drawCharts } from '../blocks/draw-charts.ts'
import { OverviewPage } from './overview-page.tsx'
import { parsePage } from '../../url/parse-page.ts'
import { pageContext } from '../page-request.ts'
import { dataProblem } from '../problem/problems.ts'
import { sendTable } from '../send-table.ts'
import { setupPage } from '../setup/setup-routes.ts'

export function overviewRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const { scope, previous, params, rowParams, notices } = parsePage(toParams(c), {
      now: routes.clock(),
      settings: routes.settings,
    })
    try {
      const overview = await routes.overview(scope, previous)
      // Set-up shows the secret ingest URL.
      const canSetUp = currentVisitor().role === 'owner'
      if (canSetUp && !overview.freshness.has_challenge_events) return await setupPage(c, routes, { empty: true })
      const rows = { params: rowParams, asOf: overview.answer.as_of }
      const context = pageContext(c, routes, { now: scope.now, timeZone: scope.timeZone, params, rows })
      const charts = await drawCharts(overview, context, routes)
      const canAssign = routes.assigning !== undefined && currentVisitor().role === 'owner'
      return await c.html(OverviewPage({ context, overview, charts, rowParams, canAssign, notices }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  app.get('/overview/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const [block = '', extension = ''] = c.req.param('file').split('.')
    if (!isOverviewBlock(block)) return c.notFound()
    const { scope, previous, rowParams } = parsePage(toParams(c), { now: routes.clock(), settings: routes.settings })
    try {
      const overview = await routes.overview(scope, previous)
      const { sample } = overview.freshness
      const rows = blockRows(overview, block)
      return sendTable(c, { what: block, extension, rows, asOf: scope.asOf, params: rowParams, sample })
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
