/** The dashboards as a Hono app: pages, assets and exports. The JSON API is mounted as given. */
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { knownHostsOnly } from '../services/runtime/known-hosts.ts'
import { openAssets } from './assets/open-assets.ts'
import { openChartRenderer } from './charts/render.ts'
import type { DashboardsDeps, RouteContext } from './dashboards-deps.ts'
import { assignRoutes } from './pages/assign/assign-routes.ts'
import { guidesRoutes } from './pages/guides/guides-routes.ts'
import { overviewRoutes } from './pages/overview/overview-routes.ts'
import { sameOriginOnly, securityHeaders } from './security.ts'
import { setupRoutes } from './pages/setup/setup-routes.ts'
import { themeRoutes } from './pages/theme-routes.ts'
import { notFound, unexpected } from './pages/problem/problems.ts'

export type DashboardsApp = { app: Hono; close(): Promise<void> }

/** Bundles the assets and starts the chart renderer; `close` when the server has stopped. */
export async function createDashboardsApp(deps: DashboardsDeps): Promise<DashboardsApp> {
  const charts = openChartRenderer()
  const assets = await openAssets()
  const routes: RouteContext = { ...deps, assets, charts }
  const app = new Hono()

  const { hosts } = deps.settings
  if (hosts !== undefined) app.use(knownHostsOnly(hosts, 'DASHBOARD_HOSTS'))
  app.get('/health/live', (c) => c.json({ status: 'live' }))
  app.get('/health/ready', (c) => {
    const ready = deps.isReady?.() ?? true
    return c.json({ status: ready ? 'ready' : 'not ready' }, ready ? 200 : 503)
  })
  // The API streams exports and sets its own headers; what follows is for pages.
  if (deps.sql !== undefined) app.route('/api/sql', deps.sql)
  if (deps.api !== undefined) app.route('/api', deps.api)

  app.use(securityHeaders, sameOriginOnly, compress())
  app.get('/assets/:file', (c) => {
    const asset = assets.files.get(c.req.param('file'))
    if (asset === undefined) return c.text('Not found', 404)
    return c.body(asset.body, 200, {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  app.route('/', overviewRoutes(routes))
  app.route('/', guidesRoutes(routes))
  app.route('/', setupRoutes(routes))
  if (deps.assigning !== undefined) app.route('/', assignRoutes(routes, deps.assigning))
  app.route('/', themeRoutes())
  app.notFound((c) => notFound(c, routes))
  app.onError((error, c) => unexpected(c, routes, error))
  return { app, close: () => charts.close() }
}
