import { Hono } from 'hono'
import { canOpen } from '../../components/access.tsx'
import { ownViews } from '../../components/view-menu.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageRequest } from '../../http/page-request.ts'
import { SearchPage } from './page.tsx'
import { findWords } from './find-words.ts'

/** Longer texts are no names. */
const longestText = 100
const mostOfAKind = 8

export function searchRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/search', async (c) => {
    // The moment of the page before: its people are looked for, and the hits open as of it.
    const asOf = c.req.query('as_of') ?? ''
    const given = new URLSearchParams(asOf === '' ? {} : { as_of: asOf })
    const request = pageRequest(c, routes, { given })
    const { scope, params, notices } = request
    const text = (c.req.query('q') ?? '').trim().slice(0, longestText)
    const [found, sample] = await Promise.all([
      text === '' ? [] : routes.search.search(text, scope, mostOfAKind),
      routes.search.isSample(),
    ])
    const context = request.context()
    const asOfText = params.get('as_of')
    const hits = findWords(text, found, (path) => canOpen(context, path), ownViews(context), asOfText)
    if (c.req.query('format') === 'json') return c.json({ text, sample, hits })
    return c.html(SearchPage({ context, text, sample, hits, asOf: scope.asOf, notices }))
  })

  return app
}
