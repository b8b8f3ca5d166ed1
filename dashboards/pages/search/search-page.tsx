import { t } from '../../language/translate.ts'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import type { Hit } from './find-words.ts'

type SearchPageProps = { context: PageContext; text: string; sample: boolean; hits: Hit[] }

/** The same results stand in the search window of every page: the script takes them from here. */
export function SearchPage({ context, text, sample, hits }: SearchPageProps) {
  return (
    <Layout context={context} title={text === '' ? t('Search') : t('Search: {text}', { text })} sample={sample}>
      <h1>{t('Search')}</h1>
      <form class="search-form" method="get" action="/search" role="search">
        <input
          type="search"
          name="q"
          value={text}
          aria-label={t('Person, team, challenge, page or definition')}
          placeholder={t('Person, team, challenge, page or definition')}
          autocomplete="off"
          autofocus
        />
        <button type="submit" class="button primary">
          {t('Search')}
        </button>
      </form>
      <div id="found">
        {hits.length === 0 ? (
          <p class="empty">{t('Nothing found for “{text}”.', { text })}</p>
        ) : (
          <ul class="hits">
            {hits.map(({ kind, name, detail, href }) => (
              <li>
                {href === null ? <strong>{name}</strong> : <a href={href}>{name}</a>}
                <span class="hit-kind">{kind}</span>
                {detail === '' ? null : <span class="hit-detail">{detail}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Layout>
  )
}
