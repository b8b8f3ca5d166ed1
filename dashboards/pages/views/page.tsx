import { t } from '../../../language/translate.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { longestViewName, type AccessView } from '../../../services/saved-views/saved-views.ts'
import { Act } from '../../components/field.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { toPageName, viewHref } from '../../components/saved-views.ts'
import type { Problem } from '../../../language/problems.ts'
import type { PageContext } from '../../page-context.ts'
import { filterWords } from '../../scope/filter-words.ts'

export type ViewsPageProps = {
  context: PageContext
  /** Those of the reader, and those offered to everybody. */
  views: readonly AccessView[]
  /** Names for the filters, as far as the reader may see them. */
  options?: Overview['options'] | undefined
  problem?: Problem | undefined
}

export function ViewsPage({ context, views, options, problem }: ViewsPageProps) {
  const { login, role } = context.visitor
  const isOwner = role === 'owner'
  const ownViews = views.filter((view) => view.login === login)
  const offered = views.filter((view) => view.login !== login)
  return (
    <PlainPage
      context={context}
      title={t('Saved views')}
      lead={
        isOwner
          ? t(
              'Choose Save on a page with filters. Only you see a view, unless you offer it to everyone who signs in.',
            )
          : t('Choose Save on a page with filters. Only you see your views.')
      }
      problem={problem}
    >
      {ownViews.length === 0 ? <p class="empty">{t('You have no saved views yet.')}</p> : null}
      <ul class="view-list">
        {ownViews.map((view) => (
          <li>
            <ViewHead context={context} view={view} options={options} />
            <form method="post" action="/views/change">
              <input type="hidden" name="id" value={view.id} />
              <input type="hidden" name="version" value={String(view.version)} />
              <label>
                <span class="visually-hidden">{t('New name of {name}', { name: view.name })}</span>
                <input
                  type="text"
                  name="name"
                  value={view.name}
                  required
                  maxlength={longestViewName}
                  autocomplete="off"
                />
              </label>
              <Act does="rename" says={t('Rename')} of={view.name} />
              {isOwner ? (
                <Act
                  does={view.is_offered ? 'keep' : 'offer'}
                  says={view.is_offered ? t('Keep for yourself') : t('Offer to everybody')}
                  of={view.name}
                  formnovalidate
                />
              ) : null}
              <Act does="remove" says={t('Delete')} of={view.name} formnovalidate />
            </form>
          </li>
        ))}
      </ul>
      {offered.length === 0 ? null : <h2>{t('Offered to everybody')}</h2>}
      <ul class="view-list">
        {offered.map((view) => (
          <li>
            <ViewHead context={context} view={view} options={options} />
            {isOwner ? (
              <form method="post" action="/views/change">
                <input type="hidden" name="id" value={view.id} />
                <Act does="keep" says={t('Offer no more')} of={view.name} />
              </form>
            ) : null}
          </li>
        ))}
      </ul>
    </PlainPage>
  )
}

function ViewHead({
  context,
  view,
  options,
}: Pick<ViewsPageProps, 'context' | 'options'> & { view: AccessView }) {
  return (
    <p>
      <a href={viewHref(view)}>{view.name}</a>{' '}
      <span class="view-filters">
        {toPageName(view.path) ?? view.path}:{' '}
        {filterWords(new URLSearchParams(view.query), context.format, options)}
        {view.is_offered ? `. ${t('Offered to everybody')}.` : ''}
      </span>
    </p>
  )
}
