import type { Hono } from 'hono'
import type { RouteContext } from './dashboards-deps.ts'

/**
 * `/news`: when data was last stored, so that an open page can offer to show itself again. It says no more than the stamp of every
 * page says, neither how much nor of whom.
 */
export function mountNews(app: Hono, { queries }: RouteContext): void {
  app.get('/news', async (c) =>
    c.text(await queries.lastStoredAt(), 200, { 'cache-control': 'private, no-store' }),
  )
}
