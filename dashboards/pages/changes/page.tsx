import { type Message, t } from '../../../language/translate.ts'
import { Field, Hidden } from '../../components/field.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import { Segments } from '../../components/page-links.tsx'
import { answerOf } from '../../components/stamp.tsx'
import { allFilters } from '../../scope/follow.ts'
import { href, ownValues, withChange } from '../../scope/page-url.ts'
import { ChangeRows, type ChangesPageProps, type ChangeLink, CountsTable } from './lists.tsx'
import type { Since } from './moments.ts'

/** The changes between two moments: kinds, causes and people. */
export function ChangesPage(props: ChangesPageProps) {
  const { context, scope, moments, frame, notices } = props
  const { format } = context
  const answer = answerOf(scope)
  const link = toLinks(props)
  return (
    <ScopePage
      context={context}
      title={t('Changes')}
      question={t('What changed?')}
      frame={{ ...frame, answer }}
      exports={[{ name: t('These changes'), href: link({}, '/changes.csv') }]}
      notices={notices}
      hasMoment={false}
    >
      <Choice {...props} />
      <p class="rows-words">
        {t('From {from} to {to}.', { from: format.instant(moments.from), to: format.instant(moments.to) })}
      </p>
      <CountsTable {...props} link={link} />
      <ChangeRows {...props} link={link} />
    </ScopePage>
  )
}

/** Addresses of the same two moments, so that their numbers stay those of this page. */
function toLinks({ context, moments, state }: ChangesPageProps): ChangeLink {
  return ({ team, challenge, ...change }, path = '/changes') => {
    const query = withChange(allFilters(context), {
      ...(team !== undefined && { team }),
      ...(challenge !== undefined && { challenge }),
    })
    query.set('from', new Date(moments.from).toISOString())
    query.set('to', new Date(moments.to).toISOString())
    const values = { kind: state.kind ?? '', cause: state.cause ?? '', ...change }
    for (const [key, value] of Object.entries(values)) if (value !== '') query.set(key, value)
    return href(path, query)
  }
}

const names: Record<Since, Message> = {
  monday: 'Since Monday',
  week: 'Since a week ago',
  visit: 'Since my last visit',
}

function Choice({ context, moments, state: { kind, cause } }: ChangesPageProps) {
  const params = allFilters(context)
  const to = (since: Since) => href('/changes', params, { since, kind, cause })
  const shown: Since[] = moments.visit === null ? ['monday', 'week'] : ['monday', 'week', 'visit']
  return (
    <div class="lines-tools">
      <Segments
        label={t('Since when')}
        links={shown.map((since) => ({
          name: t(names[since]),
          href: to(since),
          isShown: moments.since === since,
        }))}
      />
      <form method="get" action="/changes" class="lines-find">
        <Hidden fields={[...params, ...ownValues({ kind, cause })]} />
        <Field label={t('Compare (end of)')} type="date" name="from" />
        <Field label={t('with (end of)')} type="date" name="to" />
        <button type="submit" class="button">
          {t('Compare')}
        </button>
      </form>
      <p class="quiet">
        {moments.visit === null
          ? t('From your next visit on, you can also choose “Since my last visit”.')
          : t('Your last visit here: {moment}. A cookie keeps that time, and nothing else.', {
              moment: context.format.instant(moments.visit),
            })}
      </p>
    </div>
  )
}
