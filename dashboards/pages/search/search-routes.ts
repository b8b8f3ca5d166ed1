import { Hono } from 'hono'
import { canOpen } from '../../components/access.tsx'
import { ownViews } from '../../components/view-menu.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../page-request.ts'
import { dataProblem } from '../problem/problems.ts'
import { SearchPage } from './search-page.tsx'
import { findWords } from './find-words.ts'

/** Longer texts are no names. */
const longestText = 100
const mostOfAKind = 8

export function searchRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/search', async (c) => {
    const now = routes.clock()
    const text = (c.req.query('q') ?? '').trim().slice(0, longestText)
    try {
      const [found, sample] = await Promise.all([
        text === '' ? [] : routes.search.search(text, now, mostOfAKind),
        routes.search.isSample(),
      ])
      const context = pageContext(c, routes, { now })
      const hits = findWords(text, found, (path) => canOpen(context, path), ownViews(context))
      if (c.req.query('format') === 'json') return c.json({ text, sample, hits })
      return await c.html(SearchPage({ context, text, sample, hits }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
