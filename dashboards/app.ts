/** The dashboards as a Hono app: pages, assets and exports. The JSON API is mounted as given. */
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { knownHostsOnly } from '../services/runtime/http/known-hosts.ts'
import { createGuard } from './access/guard.ts'
import { createIdentify, createReaderWatch, noteSender, toInsideEnv } from './access/identify.ts'
import { currentVisitor } from '../services/access/visitor.ts'
import { openAssets } from './assets/open-assets.ts'
import { openChartRenderer } from './charts/render.ts'
import type { Ask } from './http/ask-inside.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import type { DashboardsDeps, RouteContext } from './dashboards-deps.ts'
import { createFlash } from './http/flash.ts'
import { readInLanguage } from '../language/read-in-language.ts'
import { assignmentsRoutes } from './pages/assignments/routes.ts'
import { accessRoutes } from './pages/access/routes.ts'
import { liveRoutes, createPulse } from './live.ts'
import { assignRoutes } from './pages/assign/routes.ts'
import { changesRoutes } from './pages/changes/routes.ts'
import { forecastRoutes } from './pages/forecast/routes.ts'
import { gradingRoutes } from './pages/grading/routes.ts'
import { guidesRoutes } from './pages/guides/routes.ts'
import { overdueRoutes } from './pages/overdue/routes.ts'
import { remindRoutes } from './pages/remind/routes.ts'
import { allRoutes } from './pages/groups/all-routes.ts'
import { oneRoutes } from './pages/groups/one-routes.ts'
import { learnersRoutes } from './pages/learners/routes.ts'
import { overviewRoutes } from './pages/overview/routes.ts'
import { sameOriginOnly, securityHeaders, traceRequests } from './middleware.ts'
import { searchRoutes } from './pages/search/routes.ts'
import { dataRoutes } from './pages/data/routes.ts'
import { helpRoutes } from './pages/help/routes.ts'
import { digestRoutes } from './pages/digest/routes.ts'
import { healthRoutes } from './pages/health/routes.ts'
import { frameFirst } from './http/frame-first.ts'
import { shareRoutes } from './pages/share/routes.ts'
import { setupRoutes } from './pages/setup/routes.ts'
import { signInRoutes } from './pages/sign-in/routes.ts'
import { notesRoutes } from './pages/notes/routes.ts'
import { viewsRoutes } from './pages/views/routes.ts'
import { preferenceRoutes } from './http/page-request.ts'
import { dataProblem, forbidden, notFound, signedOut } from './http/problems.ts'

export type DashboardsApp = { app: Hono; close(): Promise<void> }

/** Bundles the assets and starts the chart renderer; `close` when the server has stopped. */
export async function createDashboardsApp(deps: DashboardsDeps): Promise<DashboardsApp> {
  const charts = deps.charts ?? openChartRenderer()
  const assets = await openAssets()
  const pulse = createPulse({ read: deps.queries.storedThrough, isReady: deps.isReady ?? (() => true), ...deps.live })
  const routes: RouteContext = { ...deps, assets, charts, flash: createFlash(deps.entrance, deps.clock) }
  const app = new Hono()

  if (deps.tracing !== undefined) app.use(traceRequests(deps.tracing))
  const { hosts } = deps.settings
  if (hosts !== undefined) app.use(knownHostsOnly(hosts, 'DASHBOARD_HOSTS'))
  app.use(securityHeaders)
  app.use(readInLanguage)
  const { entrance } = deps
  const identify = createIdentify(entrance)
  app.use(noteSender(entrance?.trustedProxies ?? []))
  app.use(
    createGuard({
      identify,
      access: entrance?.access,
      forbidden: (c) => forbidden(c, routes),
      signedOut: (c) => signedOut(c, routes),
      failed: (c, error) => dataProblem(c, routes, error),
    }),
  )
  app.get('/health/live', (c) => c.json({ status: 'live' }))
  app.get('/health/ready', (c) => {
    const ready = deps.isReady?.() ?? true
    return c.json({ status: ready ? 'ready' : 'not ready' }, ready ? 200 : 503)
  })
  // The API streams exports and sets its own headers; the rest is for pages.
  const { sqlWithoutNames } = deps
  if (sqlWithoutNames !== undefined) {
    const nameless = new Hono().route('/api/sql', sqlWithoutNames)
    app.use('/api/sql/*', async (c, next) => {
      if (!currentVisitor().audience.names) return nameless.fetch(c.req.raw, c.env)
      return next()
    })
  }
  if (deps.sql !== undefined) app.route('/api/sql', deps.sql)
  app.use(sameOriginOnly)
  if (deps.api !== undefined) app.route('/api', deps.api)
  const fromWithin: Ask = (request, env) => app.fetch(request, env as object)
  if (deps.arrival !== undefined) {
    const { clock, settings } = deps
    const { version, bodies: names = 'withheld' } = settings
    const { standing } = deps.arrival
    app.route('/', mcpRoutes({ ask: fromWithin, standing, clock, version, names, url: entrance?.url }))
  }

  app.use(compress())
  const { digest } = deps
  if (digest !== undefined) {
    app.use(async (_, next) => {
      await next()
      // A visit says what groups somebody has. A page does not fail because it could not be noted.
      await digest.members.note(currentVisitor()).catch((error: unknown) => deps.onError?.(error))
    })
  }
  app.get('/assets/:file', (c) => {
    const asset = assets.files.get(c.req.param('file'))
    if (asset === undefined) return c.text('Not found', 404)
    return c.body(asset.body, 200, {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  app.use(frameFirst(deps))
  if (deps.arrival !== undefined) app.route('/', healthRoutes(routes, deps.arrival))
  app.route('/', overviewRoutes(routes))
  app.route('/', assignmentsRoutes(routes))
  app.route('/', overdueRoutes(routes))
  app.route('/', remindRoutes(routes))
  app.route('/', gradingRoutes(routes))
  app.route('/', forecastRoutes(routes))
  app.route('/', learnersRoutes(routes))
  app.route('/', guidesRoutes(routes))
  app.route('/', allRoutes(routes))
  app.route('/', changesRoutes(routes))
  app.route('/', oneRoutes(routes))
  app.route('/', setupRoutes(routes))
  app.route('/', searchRoutes(routes))
  app.route('/', helpRoutes(routes))
  if (deps.dictionary !== undefined) {
    app.route(
      '/',
      dataRoutes(routes, deps.dictionary, (request, env) => fromWithin(request, toInsideEnv(env, currentVisitor()))),
    )
  }
  app.route('/', liveRoutes(pulse, createReaderWatch(identify)))
  if (deps.assigning !== undefined) app.route('/', assignRoutes(routes, deps.assigning))
  app.route('/', signInRoutes(routes))
  if (entrance !== undefined) {
    app.route('/', accessRoutes(routes, entrance))
    app.route('/', viewsRoutes(routes, entrance.views))
    app.route('/', notesRoutes(routes, entrance.notes))
    app.route('/', shareRoutes({ routes, entrance, ask: fromWithin }))
  }
  if (deps.digest !== undefined) app.route('/', digestRoutes(routes, deps.digest))
  app.route('/', preferenceRoutes())
  app.notFound((c) => notFound(c, routes))
  app.onError((error, c) => dataProblem(c, routes, error))
  return {
    app,
    async close() {
      pulse.close()
      if (deps.charts === undefined) await charts.close()
    },
  }
}
