/** The dashboards as a Hono app: pages, assets and exports. The JSON API is mounted as given. */
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createHealthApp } from '../services/runtime/http/health.ts'
import { knownHostsOnly } from '../services/runtime/http/known-hosts.ts'
import { createGuard, isApi } from './access/guard.ts'
import { createIdentify, noteSender, toInsideEnv } from './access/identify.ts'
import { currentVisitor } from '../services/access/visitor.ts'
import { failToRead } from './api/endpoint.ts'
import { openAssets } from './assets/open-assets.ts'
import { openChartRenderer } from './charts/render.ts'
import type { Ask } from './http/ask-inside.ts'
import { mountMcp } from './mcp/mcp-routes.ts'
import type { DashboardsDeps, RouteContext } from './dashboards-deps.ts'
import { createFlash } from './http/flash.ts'
import { readInLanguage } from '../language/read-in-language.ts'
import { assignmentsPage } from './pages/assignments/page.tsx'
import { mountAccess } from './pages/access/routes.ts'
import { mountAssign } from './pages/assign/routes.ts'
import { changesPage } from './pages/changes/page.tsx'
import { mountPage } from './blocks/mount-page.tsx'
import { gradingPage } from './pages/grading/page.tsx'
import { guidesPage } from './pages/guides/page.tsx'
import { overduePage } from './pages/overdue/page.tsx'
import { mountRemind } from './pages/remind/routes.ts'
import { allPage } from './pages/groups/all.tsx'
import { onePage } from './pages/groups/one.tsx'
import { objectKinds } from './components/group-url.ts'
import { assignmentPage } from './pages/learners/assignment-page.tsx'
import { peoplePage } from './pages/learners/people-page.tsx'
import { personPage } from './pages/learners/person-page.tsx'
import { homePage } from './pages/overview/page.tsx'
import { noMultipart, sameOriginOnly, securityHeaders } from './middleware.ts'
import { mountSearch } from './pages/search/page.tsx'
import { mountData } from './pages/data/routes.ts'
import { mountHelp } from './pages/help/page.tsx'
import { mountDigest } from './pages/digest/routes.ts'
import { mountHealth } from './pages/health/routes.ts'
import { anyFormLimit } from './http/read-form.ts'
import { frameFirst } from './http/frame-first.ts'
import { mountSetup } from './pages/setup/routes.ts'
import { mountSignIn } from './pages/sign-in/routes.ts'
import { mountNotes } from './pages/notes/page.tsx'
import { mountViews } from './pages/views/routes.tsx'
import { mountPreferences } from './http/page-request.ts'
import { dataProblem, forbidden, notFound, signedOut } from './http/problems.ts'

export type DashboardsApp = { app: Hono; close(): Promise<void> }

/** Bundles the assets and starts the chart renderer; `close` when the server has stopped. */
export async function createDashboardsApp(deps: DashboardsDeps): Promise<DashboardsApp> {
  const charts = deps.charts ?? openChartRenderer()
  const assets = await openAssets()
  const routes: RouteContext = { ...deps, assets, charts, flash: createFlash(deps.entrance, deps.clock) }
  const app = new Hono()

  app.use(securityHeaders)
  // Before the check of names: whoever asks whether this process is ready may use any.
  app.route(
    '/',
    createHealthApp(() => (deps.isReady() ? { ok: true } : { ok: false, reason: 'not ready' })),
  )
  const { hosts } = deps.settings
  if (hosts !== undefined) app.use(knownHostsOnly(hosts, 'DASHBOARD_HOSTS'))
  app.use(readInLanguage)
  const { entrance, digest } = deps
  /** A visit says what groups somebody has. A page does not fail because it could not be noted. */
  const noteVisit = async () =>
    digest?.members.note(currentVisitor()).catch((error: unknown) => deps.onError(error))
  const identify = createIdentify(entrance)
  app.use(noteSender(entrance?.trustedProxies ?? []))
  app.use(
    createGuard({
      identify,
      access: entrance?.access,
      // Somebody who lost their role may still get mails by an older visit.
      forbidden: async (c) => {
        await noteVisit()
        return forbidden(c, routes)
      },
      signedOut: (c) => signedOut(c, routes),
      failed: (c, error) => {
        if (!isApi(c)) return dataProblem(c, routes, error)
        deps.onError(error)
        c.header('cache-control', 'no-store')
        return failToRead(c, error)
      },
    }),
  )
  // The API streams exports and sets its own headers; the rest is for pages.
  const { sqlWithoutNames } = deps
  if (sqlWithoutNames !== undefined) {
    const nameless = new Hono().route('/api/sql', sqlWithoutNames)
    app.use('/api/sql/*', async (c, next) => {
      if (!currentVisitor().audience.names) return nameless.fetch(c.req.raw, c.env)
      return next()
    })
  }
  app.route('/api/sql', deps.sql)
  app.use(sameOriginOnly)
  if (deps.api !== undefined) app.route('/api', deps.api)
  const fromWithin: Ask = (request, env) => app.fetch(request, env as object)
  mountMcp(app, deps, fromWithin)

  app.use(noMultipart)
  app.use(anyFormLimit)
  app.use(compress())
  app.use(async (_, next) => {
    await next()
    await noteVisit()
  })
  app.get('/assets/:file', (c) => {
    const asset = assets.files.get(c.req.param('file'))
    if (asset === undefined) return c.text('Not found', 404)
    return c.body(asset.body, 200, {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  app.use(frameFirst(routes))
  mountHealth(app, routes)
  const pages = [homePage, assignmentsPage, overduePage, gradingPage, peoplePage, personPage, assignmentPage]
  const groups = objectKinds.flatMap((kind) => [allPage(kind, deps.settings), onePage(kind)])
  for (const page of [...pages, guidesPage, ...groups, changesPage]) mountPage(app, routes, page)
  for (const mount of [mountRemind, mountSetup, mountSearch, mountHelp]) mount(app, routes)
  const asVisitor: Ask = (request, env) => fromWithin(request, toInsideEnv(env, currentVisitor()))
  mountData(app, routes, asVisitor)
  // When data was last stored: an open page offers to show itself again. It says no more than the stamp of every page.
  app.get('/news', async (c) =>
    c.text(await deps.queries.lastStoredAt(), 200, { 'cache-control': 'private, no-store' }),
  )
  if (deps.orders !== undefined) mountAssign(app, routes, deps.orders)
  mountSignIn(app, routes)
  if (entrance !== undefined) {
    mountAccess(app, routes, entrance)
    mountViews(app, routes, entrance.views)
    mountNotes(app, routes, entrance.notes)
  }
  if (deps.digest !== undefined) mountDigest(app, routes, deps.digest)
  mountPreferences(app)
  app.notFound((c) => notFound(c, routes))
  app.onError((error, c) => dataProblem(c, routes, error))
  return {
    app,
    async close() {
      if (deps.charts === undefined) await charts.close()
    },
  }
}
