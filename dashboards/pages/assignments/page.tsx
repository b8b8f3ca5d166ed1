import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { PageLinks } from '../../components/page-links.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { PageContext } from '../../page-context.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { counted } from '../../../language/format.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { RowsTable } from './rows-table.tsx'
import { rowsFile, rowsPageHref, toRowsKeeps, type RowsState } from './links.ts'
import { t } from '../../../language/translate.ts'
import { NoAssignments } from '../../components/messages.tsx'

type AssignmentsPageProps = {
  context: PageContext
  scope: Scope
  page: RowPage
  frame: PageFrame
  state: RowsState
  /** The scope as the API reads it. */
  rowParams: URLSearchParams
  /** Whether guides can be given here. */
  canAssign: boolean
  notices: string[]
}

/** The rows behind a number, a page at a time. */
export function AssignmentsPage(props: AssignmentsPageProps) {
  const { context, scope, page, frame, state, rowParams, canAssign, notices } = props
  const { format, params } = context
  const answer = answerOf(scope)
  const chips = filterChips(params, frame.options, format)
  const total = page.total ?? 0
  const file = (kind: 'csv' | 'xlsx' | 'json', which: 'shown' | 'all') =>
    rowsFile(rowParams, state, answer.as_of, kind, which)
  const times = page.units === total ? null : page.units
  const list = chips.filter(({ key }) => key !== 'as_of')
  return (
    <ScopePage
      context={context}
      title={t('Assignments')}
      question={counted(format, total, 'assignment')}
      counts={{ total, units: page.units ?? 0 }}
      frame={{ ...frame, answer }}
      keeps={toRowsKeeps(state)}
      exports={[
        { name: t('These columns'), href: file('csv', 'shown') },
        { name: t('All columns'), href: file('csv', 'all') },
        { name: t('All fields'), href: file('json', 'all') },
      ]}
      notices={notices}
    >
      {/* Paper has the filters above. */}
      <p class={times === null ? 'rows-words no-print' : 'rows-words'}>
        {list.length === 0 ? t('No filters.') : `${list.map(({ label, value }) => `${label}: ${value}`).join(' · ')}.`}
        {times === null
          ? ''
          : t(' They count {n, plural, one {# time} other {# times}}: some became overdue more than once.', {
              n: times,
            })}
      </p>
      {total === 0 ? (
        <NoAssignments context={context} hasFilters={chips.length > 0} />
      ) : (
        <>
          <RowsTable context={context} page={page} state={state} />
          <Pages context={context} page={page} state={state} />
        </>
      )}
      <p class="row-links">
        {canAssign && total > 0 ? (
          <a class="csv" href={href('/assign', withChange(params, {}))}>
            {t('Assign a guide to these people')}
          </a>
        ) : null}
        <a class="csv" href={file('csv', 'shown')} download>
          {t('CSV of these rows')}
        </a>
        <a class="csv" href={file('xlsx', 'shown')} download>
          {t('XLSX of these rows')}
        </a>
      </p>
    </ScopePage>
  )
}

/** Where in the rows this page is, and the ways on and back. Links keep the moment, so that pages fit together. */
function Pages({ context, page, state }: { context: PageContext; page: RowPage; state: RowsState }) {
  const { format, params } = context
  const { first, total, rows, next, previous } = page
  const pinned = withChange(params, { as_of: params.get('as_of') ?? new Date(format.now).toISOString() })
  return (
    <PageLinks
      label={t('Pages of rows')}
      first={previous && rowsPageHref(pinned, state, {})}
      previous={previous && rowsPageHref(pinned, state, { before: previous })}
      next={next && rowsPageHref(pinned, state, { after: next })}
    >
      {first === null || total === null ? null : (
        <span>
          {t('{first}–{last} of {total}', {
            first: format.count(first),
            last: format.count(first + rows.length - 1),
            total: format.count(total),
          })}
        </span>
      )}
    </PageLinks>
  )
}
