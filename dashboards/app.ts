/** The dashboards as a Hono app: pages, their assets and exports; the JSON API is mounted as it is given. */
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { type Assets, openAssets } from './assets/open-assets.ts'
import { type ChartRenderer, openChartRenderer } from './charts/render.ts'
import type { Overview } from './overview.ts'
import { overviewRoutes } from './routes/overview-routes.ts'
import { sameOriginOnly, securityHeaders } from './routes/security.ts'
import { setupRoutes } from './routes/setup-routes.ts'
import { themeRoutes } from './routes/theme-routes.ts'
import { notFound, unexpected } from './routes/problems.ts'
import type { DashboardSettings } from './settings.ts'
import type { SetupData, TestEventResult } from './setup.ts'

/** What a page asks for: relative ranges are dates by now, `range` and `compare` are gone. */
export type OverviewRequest = {
  /** The scope, in the parameters of `/api/metrics`. */
  params: URLSearchParams
  /** The scope to compare with (its `as_of` is the comparison instant), or `null`. */
  previousParams: URLSearchParams | null
  /** Epoch ms; the same for everything on the page. */
  now: number
}

export type OverviewResult =
  | { ok: true; overview: Overview; notices: string[] }
  | { ok: false; problems: { parameter: string; message: string }[] }

export type DashboardsDeps = {
  /** One snapshot for the whole page. Throws `DataUnavailableError` where trying again may help. */
  overview(request: OverviewRequest): Promise<OverviewResult>
  setup(): Promise<SetupData>
  /** Sends the test event of the set-up page; left out where this process does not know the ingest URL. */
  sendTestEvent?: () => Promise<TestEventResult>
  settings: DashboardSettings
  /** Epoch ms. */
  clock: () => number
  /** Mounted at `/api`. */
  api?: Hono
  /** Whether pages can be answered now. Default: always. */
  isReady?: () => boolean
  /** Told of every failed page, with its cause. */
  onError?: (error: unknown) => void
}

export type DashboardsApp = { app: Hono; close(): Promise<void> }

export type RouteContext = DashboardsDeps & { assets: Assets; charts: ChartRenderer }

/** Bundles the assets and starts the chart renderer; `close` when the server has stopped. */
export async function createDashboardsApp(deps: DashboardsDeps): Promise<DashboardsApp> {
  const charts = openChartRenderer()
  const assets = await openAssets()
  const routes: RouteContext = { ...deps, assets, charts }
  const app = new Hono()

  app.get('/health/live', (c) => c.json({ status: 'live' }))
  app.get('/health/ready', (c) => {
    const ready = deps.isReady?.() ?? true
    return c.json({ status: ready ? 'ready' : 'not ready' }, ready ? 200 : 503)
  })
  // The API streams exports and has its own headers; what follows is for pages.
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
  app.route('/', setupRoutes(routes))
  app.route('/', themeRoutes())
  app.notFound((c) => notFound(c, routes))
  app.onError((error, c) => unexpected(c, routes, error))
  return { app, close: () => charts.close() }
}
