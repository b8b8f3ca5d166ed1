import { t } from '../../../language/translate.ts'
import { momentOf } from '../../components/stamp.tsx'
import { allFilters } from '../../scope/follow.ts'
import { Hidden, SearchField } from '../../components/field.tsx'
import { Layout } from '../../components/layout.tsx'
import type { PageContext } from '../../page-context.ts'
import type { Hit } from './find-words.ts'
import { Notices } from '../../components/messages.tsx'

type SearchPageProps = {
  context: PageContext
  text: string
  sample: boolean
  hits: Hit[]
  /** Whose people are looked for, epoch ms. */
  asOf: number
  notices: string[]
}

/** The same results stand in the search window of every page: the script takes them from here. */
export function SearchPage({ context, text, sample, hits, asOf, notices }: SearchPageProps) {
  const moment = new Date(asOf).toISOString()
  const isPast = momentOf(moment, context.format) === 'past'
  return (
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
      <div id="found">
        {isPast ? (
          <p class="quiet">
            {t(
              'As of {moment}: people of then, titles and team names of today. What you open is as of then, too.',
              {
                moment: context.format.instant(moment),
              },
            )}
          </p>
        ) : null}
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
    </Layout>
  )
}
