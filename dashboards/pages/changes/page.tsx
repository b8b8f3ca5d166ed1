import { counted } from '../../../language/format.ts'
import { rich, t } from '../../../language/translate.ts'
import { changeKinds } from '../../../reporting/metrics/changes.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { list, toPart } from '../../blocks/list.tsx'
import { definePage } from '../../blocks/page.ts'
import { Field, Hidden } from '../../components/field.tsx'
import { SetupLink } from '../../components/messages.tsx'
import { Segments } from '../../components/page-links.tsx'
import { answerOf } from '../../components/stamp.tsx'
import { allFilters, rowOnly } from '../../scope/follow.ts'
import { ownValues } from '../../scope/page-url.ts'
import { readVisit, toStart } from './moments.ts'
import { changesTable, kindsTable, own, startOf, type ChangesData, type ChangesView } from './tables.tsx'

type Asked = Pick<ChangesView, 'routes' | 'own' | 'scope'>

const rowsPerPage = 50

/** Changes without a name, such as viewed or due soon, are listed where they are asked for. */
function readChanges({ routes, own: { kind, cause }, scope }: Asked, before: Scope, part: object) {
  return routes.queries.changes(before, scope, {
    kinds: kind === undefined ? changeKinds.filter((each) => each !== 'other') : [kind],
    ...(cause !== undefined && { causes: [cause] }),
    limit: rowsPerPage,
    withEvents: false,
    ...part,
  })
}

/** The changes between two moments: kinds, causes and people. */
export const changesPage = definePage<ChangesData, typeof own>({
  path: '/changes',
  title: 'Changes',
  question: 'What changed?',
  keys: { own, ignored: rowOnly },
  async read(ask) {
    const { c, routes, scope } = ask
    const before = { ...scope, asOf: startOf(ask.own.from ?? 'monday', scope) }
    const [counts, page, frame] = await Promise.all([
      routes.queries.changeCounts(before, scope),
      readChanges(ask, before, toPart(ask.own.page, rowsPerPage)),
      routes.queries.frame(scope),
    ])
    return { ...frame, answer: answerOf(scope), before, visit: readVisit(c, routes.clock()), counts, page }
  },
  notices: ({ own: { from = 'monday' }, scope }) =>
    toStart(from, scope) === undefined ? [t('Start is after end; start ignored.')] : [],
  counts: ({ data: { page } }) => ({ total: page.total }),
  blocks: [
    { id: 'since', bare: Choice },
    {
      id: 'kinds',
      title: ({ context, data: { counts } }) =>
        counts.total === 0
          ? t('Nothing changed')
          : t('{assignments} changed', { assignments: counted(context.format, counts.total, 'assignment') }),
      finding: ({ context: { format }, data, scope }) =>
        t('From {from} to {to}.', {
          from: format.instant(data.before.asOf),
          to: format.instant(scope.asOf),
        }),
      list: list({
        table: kindsTable,
        rows: ({ data: { counts } }) => counts.kinds.filter(({ kind }) => kind !== 'other'),
        narrowedBy: ['from'],
        empty: ({ context }) => [
          t('Between these moments nothing in this scope changed.'),
          ' ',
          <SetupLink context={context} />,
        ],
      }),
    },
    {
      id: 'rows',
      title: 'Changed assignments',
      isShown: ({ data: { counts } }) => counts.total > 0,
      tools: Others,
      list: list({
        table: changesTable,
        async rows(view, { limit }) {
          const { before, page } = view.data
          const all = limit === Number.POSITIVE_INFINITY
          const { changes, total } = all ? await readChanges(view, before, { limit }) : page
          return { rows: changes, total }
        },
        most: rowsPerPage,
        pageKey: 'page',
        narrowedBy: ['from', 'kind', 'cause'],
        empty: () => t('None of this kind.'),
      }),
    },
  ],
})

/** The number of changes without a name, which are not listed. */
function Others({ own: { kind, cause }, data: { counts }, to }: ChangesView) {
  const n = counts.kinds.find((each) => each.kind === 'other')?.n ?? 0
  if (n === 0 || kind !== undefined || cause !== undefined) return null
  return (
    <p class="quiet">
      {rich(
        'Not listed: <a>{n, plural, one {# other assignment} other {# other assignments}}</a> (viewed, started or due soon).',
        { n, a: (text) => <a href={to({ kind: 'other', page: null }, 'rows')}>{text}</a> },
      )}
    </p>
  )
}

function Choice({ context, data: { visit }, own: { from, kind, cause }, to }: ChangesView) {
  const since = (name: string, value: string) => ({
    name,
    href: to({ from: value, page: null }),
    isShown: from === value,
  })
  return (
    <div class="lines-tools">
      <Segments
        label={t('Since when')}
        links={[
          since(t('Since Monday'), 'monday'),
          since(t('Since a week ago'), 'week'),
          ...(visit === null ? [] : [since(t('Since my last visit'), new Date(visit).toISOString())]),
        ]}
      />
      <form method="get" action="/changes" class="lines-find">
        <Hidden fields={[...allFilters(context), ...ownValues({ kind, cause })]} />
        <Field label={t('Since the end of')} type="date" name="from" />
        <button type="submit" class="button">
          {t('Show')}
        </button>
      </form>
      {visit === null ? null : (
        <p class="quiet">
          {t('Your last visit here: {moment}. A cookie keeps that time, and nothing else.', {
            moment: context.format.instant(visit),
          })}
        </p>
      )}
    </div>
  )
}
