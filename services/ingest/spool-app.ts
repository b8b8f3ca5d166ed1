/** What this process holds on its own disk, and what it has acknowledged, for the consumer: `GET /spool` on the admin port. */
import { Hono } from 'hono'
import type { AcknowledgedCounts } from './acknowledged.ts'

type Held = { records: number; oldestMs: number }

export function createSpoolApp(
  stats: () => Promise<Held>,
  readAcknowledged?: () => AcknowledgedCounts,
  now = Date.now,
): Hono {
  const app = new Hono()
  app.get('/spool', async (c) => {
    // First: what is counted here is in the spool that is looked at next, or in the log.
    const acknowledged = readAcknowledged?.()
    const { records, oldestMs } = await stats()
    const oldest_received_at = records === 0 ? null : new Date(now() - oldestMs).toISOString()
    return c.json({ records, oldest_received_at, acknowledged, now: new Date(now()).toISOString() }, 200, {
      'cache-control': 'no-store',
    })
  })
  return app
}
