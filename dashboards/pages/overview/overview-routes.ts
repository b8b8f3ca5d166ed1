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
import { canOpen } from '../../components/access.tsx'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import { fewestPeople } from '../../../reporting/audience/audience.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { BriefChangeCount } from '../../../reporting/queries/change-counts.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { PageContext } from '../../page-context.ts'
import { momentOf } from '../../text/moment.ts'
import { toMonday } from '../changes/moments.ts'
import { ChangesStrip } from './changes-strip.tsx'
import { sendWithChanges } from './send-with-changes.ts'

export function overviewRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const { scope, previous, params, rowParams, notices } = parsePage(toParams(c), {
      now: routes.clock(),
      settings: routes.settings,
    })
    try {
      const overview = await routes.overview(scope, previous)
      if (overview.leaves_out_small_groups === true) {
        notices.push(`Teams and challenges of fewer than ${fewestPeople} people are left out of the rankings.`)
      }
      // Set-up shows the secret ingest URL.
      const canSetUp = currentVisitor().role === 'owner'
      if (canSetUp && !overview.freshness.has_challenge_events) return await setupPage(c, routes, { empty: true })
      const rows = { params: rowParams, asOf: overview.answer.as_of }
      const context = pageContext(c, routes, { now: scope.now, timeZone: scope.timeZone, params, rows })
      const strip = readStrip(routes, { context, scope, rowParams, overview })
      const charts = await drawCharts(overview, context, routes)
      const canAssign = routes.assigning !== undefined && currentVisitor().role === 'owner'
      const hasChanges = strip !== null
      const page = OverviewPage({ context, overview, charts, rowParams, canAssign, notices, hasChanges })
      return strip === null ? await c.html(page) : await sendWithChanges(c, (await page).toString(), strip)
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

type StripRequest = { context: PageContext; scope: Scope; rowParams: URLSearchParams; overview: Overview }

/** After the numbers, so that these wait for nothing; of their moment. `null`: the reader may not see changes, or they are not there yet. */
function readStrip(
  routes: RouteContext,
  { context, scope, rowParams, overview }: StripRequest,
): Promise<string> | null {
  const { as_of: asOf } = overview.answer
  if (!canOpen(context, '/changes') || momentOf(asOf, context.format) === 'future') return null
  const to = Date.parse(asOf)
  const from = toMonday(scope.timeZone, to)
  const { teams } = overview.options
  const draw = async (counts: BriefChangeCount[] | null) =>
    (await ChangesStrip({ context, rowParams, from, to, teams, counts })).toString()
  const between = [
    { ...scope, asOf: from },
    { ...scope, asOf: to },
  ] as const
  return routes.changes.briefChanges(...between).then(draw, (error: unknown) => {
    if (!(error instanceof DataUnavailableError)) routes.onError?.(error)
    return draw(null)
  })
}
