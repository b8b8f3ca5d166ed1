import type { Hono } from 'hono'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageRequest } from '../../http/page-request.ts'
import { pageFilters } from '../../scope/page-url.ts'
import { SearchPage } from './page.tsx'
import { findWords } from './find-words.ts'

/** Longer texts are not names. */
const longestText = 100
const mostOfAKind = 8
const waiting = pageFilters.filter((key) => key !== 'as_of')

export function mountSearch(app: Hono, routes: RouteContext): void {
  app.get('/search', async (c) => {
    // The moment of the page before: its people are looked for. Its filters go on to the page that is opened.
    const request = pageRequest(c, routes, { ignore: ['q', 'format'], idle: waiting, compares: false })
    const { scope, notices } = request
    const text = (c.req.query('q') ?? '').trim().slice(0, longestText)
    const [objects, sample] = await Promise.all([
      text === '' ? [] : routes.queries.search(text, scope, mostOfAKind),
      routes.queries.isSample(),
    ])
    const context = request.context()
    const found = await Promise.all(
      objects.map(async (each) => ({
        ...each,
        person: each.kind === 'person' ? await routes.queries.person(each.id, scope) : null,
      })),
    )
    const hits = findWords(text, found, context)
    if (c.req.query('format') === 'json') return c.json({ text, sample, hits })
    return c.html(SearchPage({ context, text, sample, hits, asOf: scope.asOf, notices }))
  })
}
