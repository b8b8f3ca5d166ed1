import { Listing } from '../../components/listing.tsx'
import { PageLinks } from '../../components/page-links.tsx'
import { ChallengeLink, PersonLink } from '../../components/people.tsx'
import { rich, t } from '../../../language/translate.ts'
import type { Change } from '../../../reporting/queries/changes.ts'
import { beforeAfter, causeWords, kindWords } from '../../../reporting/words/change-words.ts'
import { counted } from '../../../language/format.ts'
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
        <div class="figure-body">
          <Listing
            label={t('Changed assignments')}
            className="rows"
            columns={[t('Person'), t('Challenge'), t('What'), t('Before → after'), t('Why'), t('When')]}
            rows={page.changes.map((change) => (
              <Row context={context} change={change} />
            ))}
          />
        </div>
      )}
      <PageLinks
        label={t('Pages of changes')}
        first={isFurther ? link({}) : null}
        next={page.next && link({ after: page.next })}
      />
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
  return (
    <tr>
      <th scope="row">
        <PersonLink context={context} id={change.user_id} name={change.user_name} />
      </th>
      <td>
        <ChallengeLink context={context} row={change} />
      </td>
      <td>{change.kinds.map(kindWords).join(', ')}</td>
      <td>{beforeAfter(change, format).join('; ')}</td>
      <td>{toWhy(change)}</td>
      <td class="date">{at === null ? null : <time datetime={at}>{format.instant(at)}</time>}</td>
    </tr>
  )
}
