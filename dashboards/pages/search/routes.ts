import { Hono } from 'hono'
import { canOpen } from '../../components/access.tsx'
import { ownViews } from '../../components/view-menu.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { parsePage } from '../../scope/parse-page.ts'
import { pageContext } from '../../http/page-request.ts'
import { dataProblem } from '../../http/problems.ts'
import { SearchPage } from './page.tsx'
import { findWords } from './find-words.ts'

/** Longer texts are no names. */
const longestText = 100
const mostOfAKind = 8

export function searchRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/search', async (c) => {
    const now = routes.clock()
    const { scope, params, notices } = parseMoment(c.req.query('as_of') ?? '', routes, now)
    const text = (c.req.query('q') ?? '').trim().slice(0, longestText)
    try {
      const [found, sample] = await Promise.all([
        text === '' ? [] : routes.search.search(text, scope, mostOfAKind),
        routes.search.isSample(),
      ])
      const context = pageContext(c, routes, { now, timeZone: scope.timeZone, params })
      const asOfText = params.get('as_of')
      const hits = findWords(text, found, (path) => canOpen(context, path), ownViews(context), asOfText)
      if (c.req.query('format') === 'json') return c.json({ text, sample, hits })
      return await c.html(SearchPage({ context, text, sample, hits, asOf: scope.asOf, notices }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}

/** The moment of the page that one comes from: its people are looked for, and what is found opens as of it. */
function parseMoment(asOf: string, { settings }: RouteContext, now: number) {
  return parsePage(new URLSearchParams(asOf === '' ? {} : { as_of: asOf }), { now, settings })
}
