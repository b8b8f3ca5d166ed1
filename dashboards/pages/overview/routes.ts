import { rowOnly } from '../../scope/follow.ts'
import type { Hono } from 'hono'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { overviewTables } from '../../../reporting/exports/overview-tables.ts'
import { drawCharts } from '../../components/figures/draw-charts.ts'
import { OverviewPage } from './page.tsx'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable, tableOf } from '../../http/send-table.ts'
import { setupPage } from '../setup/routes.ts'
import { canOpen } from '../../components/access.tsx'
import { readPace } from '../../components/figures/pace.ts'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { PageContext } from '../../page-context.ts'
import { momentOf } from '../../components/stamp.tsx'
import { toMonday } from '../changes/moments.ts'
import type { ChangesStripProps } from './changes-strip.tsx'

export function mountOverview(app: Hono, routes: RouteContext): void {
  app.get('/', async (c) => {
    const { scope, previous, rowParams, notices, context: toContext } = pageRequest(c, routes, { idle: rowOnly })
    const overview = await routes.queries.overview(scope, previous)
    // Setup shows the secret ingest URL.
    const canSetUp = currentVisitor().role === 'owner'
    if (canSetUp && !overview.freshness.has_challenge_events) return setupPage(c, routes, { empty: true })
    const numbers = toContext(overview.answer.as_of)
    const context = { ...numbers, ...(await readPace(routes, scope, numbers, overview.answer.metrics)) }
    const [charts, changes] = await Promise.all([
      drawCharts(overview, context, routes),
      readChanges(routes, { context, scope, rowParams, overview }),
    ])
    const canAssign = routes.assigning !== undefined && canSetUp
    const { dueSoonDays } = scope
    return c.html(OverviewPage({ context, overview, charts, rowParams, canAssign, dueSoonDays, notices, changes }))
  })

  app.get('/overview/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const { name, table } = tableOf(c, overviewTables)
    if (table === undefined) return c.notFound()
    const request = pageRequest(c, routes, { compares: false })
    const overview = await routes.queries.overview(request.scope, null)
    return sendTable(c, name, table(overview), request, overview)
  })
}

type ChangesRequest = { context: PageContext; scope: Scope; rowParams: URLSearchParams; overview: Overview }

/** Changes at the moment of the numbers. `null`: the reader may not see them, or there are none yet. Without an answer the rest of the page stands. */
async function readChanges(
  routes: RouteContext,
  { context, scope, rowParams, overview }: ChangesRequest,
): Promise<ChangesStripProps | null> {
  const { as_of: asOf, metrics } = overview.answer
  if (!canOpen(context, '/changes') || momentOf(asOf, context.format) === 'future') return null
  if (metrics.assigned.value === 0) return null
  const to = Date.parse(asOf)
  const from = toMonday(scope.timeZone, to)
  const counts = await routes.queries
    .briefChanges({ ...scope, asOf: from }, { ...scope, asOf: to })
    .catch((error: unknown) => {
      if (!(error instanceof DataUnavailableError)) routes.onError(error)
      return null
    })
  return { context, rowParams, from, to, teams: overview.options.teams, counts }
}
