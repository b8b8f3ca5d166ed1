import type { Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { Hidden, SearchField } from '../../components/field.tsx'
import { Layout } from '../../components/layout.tsx'
import { Notices } from '../../components/messages.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageRequest } from '../../http/page-request.ts'
import { allFilters } from '../../scope/follow.ts'
import { pageFilters } from '../../scope/page-url.ts'
import { findWords, type Hit } from './find-words.ts'

/** Longer texts are not names. */
const longestText = 100
const mostOfAKind = 8
const waiting = pageFilters.filter((key) => key !== 'as_of')

/** The search window of every page takes its results from here. */
export function mountSearch(app: Hono, routes: RouteContext): void {
  const { queries } = routes
  app.get('/search', async (c) => {
    // The moment of the page before: its people are looked for. Its filters go on to the page that is opened.
    const request = pageRequest(c, routes, { ignore: ['q', 'format'], idle: waiting, compares: false })
    const { scope, notices } = request
    const text = (c.req.query('q') ?? '').trim().slice(0, longestText)
    const [objects, sample] = await Promise.all([
      text === '' ? [] : queries.search(text, scope, mostOfAKind),
      queries.isSample(),
    ])
    const context = request.context()
    const found = await Promise.all(
      objects.map(async (each) => ({
        ...each,
        person: each.kind === 'person' ? await queries.person(each.id, scope) : null,
      })),
    )
    const hits = findWords(text, found, context)
    if (c.req.query('format') === 'json') return c.json({ text, sample, hits })
    return c.html(
      <Layout
        context={context}
        title={text === '' ? t('Search') : t('Search: {text}', { text })}
        sample={sample}
      >
        <h1>{t('Search')}</h1>
        <Notices notices={notices} />
        <form class="search-form" method="get" action="/search" role="search">
          <SearchField value={text} autofocus />
          <Hidden fields={allFilters(context)} />
          <button type="submit" class="button primary">
            {t('Search')}
          </button>
        </form>
        <Results text={text} hits={hits} />
      </Layout>,
    )
  })
}

function Results({ text, hits }: { text: string; hits: readonly Hit[] }) {
  return (
    <div id="found">
      {hits.length === 0 ? (
        <p class="empty">{t('Nothing found for “{text}”.', { text })}</p>
      ) : (
        <ul class="hits">
          {hits.map(({ kind, name, detail, href }) => (
            <li>
              {href === null ? (
                <strong>{name}</strong>
              ) : (
                <a href={href} dir="auto">
                  {name}
                </a>
              )}
              <span class="hit-kind">{kind}</span>
              {detail === '' ? null : <span class="hit-detail">{detail}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
