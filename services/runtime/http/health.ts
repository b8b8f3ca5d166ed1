/** Health, the same on every port of every process. Live: the process answers. Ready: it can do its work now. */
import { Hono } from 'hono'

export type Health = { ok: true; note?: string } | { ok: false; reason: string }

export function createHealthApp(isReady: () => Health): Hono {
  const app = new Hono()
  const fresh = { 'cache-control': 'no-store' }
  app.get('/health/live', (c) => c.json({ status: 'live' }, 200, fresh))
  app.get('/health/ready', (c) => {
    const health = isReady()
    return health.ok
      ? c.json({ status: 'ready', ...(health.note && { note: health.note }) }, 200, fresh)
      : c.json({ status: 'not_ready', reason: health.reason }, 503, fresh)
  })
  return app
}
