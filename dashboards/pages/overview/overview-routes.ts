import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { type Context, Hono } from 'hono'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { isTimeZone } from '../../../reporting/scope/time-zone.ts'
import type { OverviewResult, RouteContext } from '../../dashboards-deps.ts'
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
import { scopeKeys } from '../../url/page-url.ts'
import { type ResolvedPage, resolvePage } from '../../url/range.ts'
import { pageContext, unknownKeyNotices } from '../page-request.ts'
import { badScope, dataProblem } from '../problem/problems.ts'
import { setupPage } from '../setup/setup-routes.ts'

export function overviewRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const now = routes.clock()
    const { resolved, result } = await ask(c, routes, now)
    if (result instanceof Error) return dataProblem(c, routes, result)
    if (!result.ok) return badScope(c, routes, result.problems)
    const { overview } = result
    if (overview.freshness.last_event_at === null) return setupPage(c, routes, { empty: true })
    const context = pageContext(c, routes, { now, timeZone: overview.answer.time_zone })
    const notices = [...unknownKeyNotices(context.params, scopeKeys), ...resolved.notices, ...result.notices]
    const charts = await drawCharts(overview, context, routes)
    const canAssign = routes.assigning !== undefined
    return c.html(OverviewPage({ context, overview, charts, rowParams: resolved.params, canAssign, notices }))
  })

  app.get('/overview/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const [block = '', extension] = c.req.param('file').split('.')
    if (!isOverviewBlock(block)) return c.notFound()
    const format = extension === 'xlsx' ? 'xlsx' : 'csv'
    const now = routes.clock()
    const { resolved, result } = await ask(c, routes, now)
    if (result instanceof Error) return dataProblem(c, routes, result)
    if (!result.ok) return badScope(c, routes, result.problems)
    const { answer, freshness } = result.overview
    const { sample } = freshness
    const name = toExportName({ what: block, format, asOf: Date.parse(answer.as_of), params: resolved.params, sample })
    const rows = blockRows(result.overview, block)
    return c.body(format === 'csv' ? toCsv(rows) : toBlockXlsx(rows, block, sample), 200, {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
      'content-disposition': `attachment; filename="${name}"`,
    })
  })

  return app
}

async function ask(
  c: Context,
  routes: RouteContext,
  now: number,
): Promise<{ resolved: ResolvedPage; result: OverviewResult | Error }> {
  const { settings } = routes
  const given = new URL(c.req.url).searchParams
  const tz = given.get('tz')
  const resolved = resolvePage(given, { now, timeZone: tz !== null && isTimeZone(tz) ? tz : settings.timeZone })
  const { params, previousParams, notices } = resolved
  // Links and exports carry what was computed and nothing else: the API refuses what a page only leaves out.
  const strict = parseScope(params, { now, settings, strict: true })
  if (!strict.ok) {
    for (const { parameter, message } of strict.problems) {
      params.delete(parameter)
      if (parameter !== 'as_of') previousParams?.delete(parameter)
      notices.push(`“${parameter}” ${message}, so it was left out.`)
    }
  }
  try {
    return { resolved, result: await routes.overview({ params, previousParams, now }) }
  } catch (error) {
    return { resolved, result: error instanceof Error ? error : new Error(String(error)) }
  }
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

/** A chart that cannot be drawn is a problem of its figure, not of the page. */
async function draw(chart: Chart, charts: ChartRenderer, onError: RouteContext['onError']): Promise<DrawnChart> {
  try {
    return { chart, svg: await charts.render(chart.option) }
  } catch (error) {
    onError?.(error)
    return { chart, svg: null }
  }
}
