/** What the operator's port answers: metrics and health. Never on a public port. */
import { Hono } from 'hono'
import { createHealthApp, type Health } from './health.ts'
import { renderMetrics, type MetricsSnapshot } from './telemetry.ts'

export type AdminDeps = {
  metrics: (() => Promise<MetricsSnapshot>)[]
  isReady: () => Health
  /** Commands for whoever may read the data directory. */
  control?: Hono
}

export function createAdminApp(deps: AdminDeps): Hono {
  const app = new Hono()
  app.route('/', createHealthApp(deps.isReady))
  if (deps.control !== undefined) app.route('/', deps.control)
  app.get('/metrics', async (c) =>
    c.body(await renderMetrics(deps.metrics), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )
  return app
}
