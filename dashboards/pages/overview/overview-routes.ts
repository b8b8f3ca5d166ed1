import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { Hono } from 'hono'
import { toParams } from '../../api/api-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { Chart } from '../../charts/chart.ts'
import { cohortChart } from '../../charts/cohort-chart.ts'
import { gradeChart } from '../../charts/grade-chart.ts'
import type { ChartRenderer } from '../../charts/render.ts'
import { trendChart } from '../../charts/trend-chart.ts'
import { blockRows, isOverviewBlock, toBlockXlsx } from '../../../reporting/exports/blocks.ts'
import { toCsv } from '../../../reporting/exports/csv.ts'
import { toExportName } from '../../../reporting/exports/export-name.ts'
import { xlsxType } from '../../../reporting/exports/xlsx.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { type DrawnChart, periodName } from './figures.tsx'
import { OverviewPage } from './overview-page.tsx'
import { parsePage } from '../../url/parse-page.ts'
import { pageContext } from '../page-request.ts'
import { dataProblem } from '../problem/problems.ts'
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
      if (overview.freshness.last_event_at === null) return await setupPage(c, routes, { empty: true })
      const context = pageContext(c, routes, { now: scope.now, timeZone: scope.timeZone, params })
      const charts = await drawCharts(overview, context, routes)
      const canAssign = routes.assigning !== undefined
      return await c.html(OverviewPage({ context, overview, charts, rowParams, canAssign, notices }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  app.get('/overview/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const [block = '', extension] = c.req.param('file').split('.')
    if (!isOverviewBlock(block)) return c.notFound()
    const format = extension === 'xlsx' ? 'xlsx' : 'csv'
    const { scope, previous, rowParams } = parsePage(toParams(c), { now: routes.clock(), settings: routes.settings })
    try {
      const overview = await routes.overview(scope, previous)
      const { sample } = overview.freshness
      const name = toExportName({ what: block, format, asOf: scope.asOf, params: rowParams, sample })
      const rows = blockRows(overview, block)
      return c.body(format === 'csv' ? toCsv(rows) : toBlockXlsx(rows, block, sample), 200, {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
        'content-disposition': `attachment; filename="${name}"`,
      })
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}

async function drawCharts(overview: Overview, context: PageContext, { charts, onError }: RouteContext) {
  const { format } = context
  const { metrics, period } = overview.answer
  const today = toLocalDate(overview.answer.time_zone, Date.parse(overview.answer.as_of))
  const words = { count: format.count, period: (start: string) => periodName(start, period, context), week: format.day }
  const [trend, cohorts, grades] = await Promise.all([
    draw(trendChart(metrics.trend, overview.previous?.metrics.trend ?? null, words), charts, onError),
    draw(cohortChart(overview.due_cohorts, words, today), charts, onError),
    draw(gradeChart(metrics.grade, words), charts, onError),
  ])
  return { trend, cohorts, grades }
}

/** A chart that cannot be drawn affects its figure, not the page. */
async function draw(chart: Chart, charts: ChartRenderer, onError: RouteContext['onError']): Promise<DrawnChart> {
  try {
    return { chart, svg: await charts.render(chart.option) }
  } catch (error) {
    onError?.(error)
    return { chart, svg: null }
  }
}
