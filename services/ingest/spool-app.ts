/** What this process holds on its own disk, for the consumer: `GET /spool` on the admin port. */
import { Hono } from 'hono'

type Held = { records: number; oldestMs: number }

export function createSpoolApp(stats: () => Promise<Held>, now = Date.now): Hono {
  const app = new Hono()
  app.get('/spool', async (c) => {
    const { records, oldestMs } = await stats()
    const oldest_received_at = records === 0 ? null : new Date(now() - oldestMs).toISOString()
    return c.json({ records, oldest_received_at }, 200, { 'cache-control': 'no-store' })
  })
  return app
}
