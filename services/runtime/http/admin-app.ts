/** The app of the admin port: metrics and health. Never on a public port. */
import { Hono } from 'hono'
import { createHealthApp, type Health } from './health.ts'
import { knownHostsOnly } from './known-hosts.ts'
import { renderMetrics, type MetricsSnapshot } from '../telemetry.ts'

export type AdminDeps = {
  metrics: (() => Promise<MetricsSnapshot>)[]
  isReady: () => Health
  /** Commands for processes that may read the data directory. */
  control?: Hono
  /** The names to answer to; `undefined`: any. */
  hosts: readonly string[] | undefined
}

export function createAdminApp(deps: AdminDeps): Hono {
  const app = new Hono()
  if (deps.hosts !== undefined) app.use(knownHostsOnly(deps.hosts, 'ADMIN_HOSTS'))
  app.route('/', createHealthApp(deps.isReady))
  if (deps.control !== undefined) app.route('/', deps.control)
  app.get('/metrics', async (c) =>
    c.body(await renderMetrics(deps.metrics), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )
  return app
}
