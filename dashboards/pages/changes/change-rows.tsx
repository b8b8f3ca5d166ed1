import { PersonLink } from '../../components/people.tsx'
import { allFilters } from '../../scope/follow.ts'
import { rich, t } from '../../../language/translate.ts'
import type { Change } from '../../../reporting/queries/changes.ts'
import { beforeAfter, causeWords, kindWords } from '../../../reporting/words/change-words.ts'
import { counted } from '../../../language/format.ts'
import { objectHref } from '../../components/group-url.ts'
import type { PageContext } from '../../page-context.ts'
import type { ChangesPageProps, ChangeLink } from './view.ts'

/** The changed assignments, a page at a time: before, after and why. */
export function ChangeRows({ context, state, counts, page, link }: ChangesPageProps & { link: ChangeLink }) {
  const { format } = context
  const words = [
    state.kind === null ? '' : kindWords(state.kind),
    state.cause === null ? '' : causeWords(state.cause),
    t('newest first'),
  ]
  const isFurther = state.after !== undefined
  if (counts.total === 0) return null
  const others = counts.kinds.find(({ kind }) => kind === 'other')?.n ?? 0
  return (
    <section class="figure wide" aria-labelledby="rows-title">
      <div class="figure-head">
        <div>
          <h2 id="rows-title" data-total={isFurther ? undefined : page.total}>
            {isFurther ? t('Further assignments') : counted(format, page.total, 'assignment')}:{' '}
            {words.filter(Boolean).join(', ')}
          </h2>
          {state.kind === null && state.cause === null ? null : (
            <p class="finding">
              <a href={link({ kind: '', cause: '' })}>{t('All changes')}</a>
            </p>
          )}
          {state.kind !== null || state.cause !== null || others === 0 ? null : (
            <p class="finding">
              {rich(
                'Not listed: <a>{n, plural, one {# other assignment} other {# other assignments}}</a> (viewed, started or due soon).',
                { n: others, a: (text) => <a href={link({ kind: 'other', cause: '' })}>{text}</a> },
              )}
            </p>
          )}
        </div>
      </div>
      {page.changes.length === 0 ? (
        <p class="empty">{t('None of this kind.')}</p>
      ) : (
        <div class="figure-body scroll" tabindex={0} role="group" aria-label={t('Changed assignments')}>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">{t('Person')}</th>
                <th scope="col">{t('Challenge')}</th>
                <th scope="col">{t('What')}</th>
                <th scope="col">{t('Before → after')}</th>
                <th scope="col">{t('Why')}</th>
                <th scope="col">{t('When')}</th>
              </tr>
            </thead>
            <tbody>
              {page.changes.map((change) => (
                <Row context={context} change={change} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <nav class="pages" aria-label={t('Pages of changes')}>
        {isFurther ? (
          <a class="pill" href={link({})}>
            {t('First')}
          </a>
        ) : null}
        {page.next === null ? null : (
          <a class="pill" rel="next" href={link({ after: page.next })}>
            {t('Next')}
          </a>
        )}
      </nav>
    </section>
  )
}

/** The cause, or that of each kind where they differ. */
function toWhy({ reasons }: Change): string {
  const words = reasons.map(({ kind, causes }) => ({ kind, why: causes.map(causeWords).join(', ') }))
  const [first] = words
  if (words.every(({ why }) => why === first?.why)) return first?.why ?? ''
  return words.map(({ kind, why }) => `${kindWords(kind)}: ${why}`).join('; ')
}

function Row({ context, change }: { context: PageContext; change: Change }) {
  const { format } = context
  const at = change.changed_at
  const person = change.user_name ?? change.user_id ?? t('Nobody named')
  const challenge = change.challenge ?? change.challenge_id ?? t('Unknown challenge')
  return (
    <tr>
      <th scope="row">
        {change.user_id === null ? (
          person
        ) : (
          <PersonLink context={context} id={change.user_id} name={change.user_name} />
        )}
      </th>
      <td>
        {change.challenge_id === null ? (
          challenge
        ) : (
          <a href={objectHref('challenge', change.challenge_id, allFilters(context))}>{challenge}</a>
        )}
      </td>
      <td>{change.kinds.map(kindWords).join(', ')}</td>
      <td>{beforeAfter(change, format).join('; ')}</td>
      <td>{toWhy(change)}</td>
      <td class="date">{at === null ? null : <time datetime={at}>{format.instant(at)}</time>}</td>
    </tr>
  )
}
