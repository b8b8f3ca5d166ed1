import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { PageLinks } from '../../components/page-links.tsx'
import { mayRemind, remindHref } from '../../components/remind.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { PageContext } from '../../page-context.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { counted } from '../../../language/format.ts'
import { href, withChange, pageParams } from '../../scope/page-url.ts'
import { rowsFile, rowsPageHref, type RowsState } from './links.ts'
import { t } from '../../../language/translate.ts'
import { NoAssignments } from '../../components/messages.tsx'
import type { RowColumn } from '../../../schemas/metrics/columns.ts'
import { PlatformLink } from '../../components/people.tsx'
import { columnHead } from '../../../reporting/exports/column-heads.ts'
import { toOrderText } from '../../../reporting/scope/row-order.ts'
import { allColumns, Cell, cellClass, isNumber, sortOf } from './columns.tsx'
import { Hidden } from '../../components/field.tsx'
import { Listing, type Column } from '../../components/listing.tsx'

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
  return (
    <ScopePage
      context={context}
      title={t('Assignments')}
      question={counted(format, total, 'assignment')}
      counts={{ total, units: page.units ?? 0 }}
      frame={{ ...frame, answer }}
      exports={[
        { name: t('These columns'), href: file('csv', 'shown') },
        { name: t('All columns'), href: file('csv', 'all') },
        { name: t('All fields'), href: file('json', 'all') },
      ]}
      notices={notices}
    >
      {times === null ? null : (
        <p class="rows-words">
          {t('They count {n, plural, one {# time} other {# times}}: some became overdue more than once.', {
            n: times,
          })}
        </p>
      )}
      {total === 0 ? (
        <NoAssignments context={context} hasFilters={chips.length > 0} />
      ) : (
        <>
          <RowsTable context={context} page={page} state={state} />
          <Pages context={context} asOf={answer.as_of} page={page} state={state} />
        </>
      )}
      <p class="row-links">
        {total > 0 && isOverdueOnly(scope) && mayRemind(context) ? (
          <a class="csv" href={remindHref(context)}>
            {t('Remind these people')}
          </a>
        ) : null}
        {canAssign && total > 0 ? (
          <a class="csv" href={href('/assign', withChange(params, {}))}>
            {t('Assign a guide to these people')}
          </a>
        ) : null}
      </p>
    </ScopePage>
  )
}

function isOverdueOnly({ fact, status, aging, part }: Scope): boolean {
  if (part?.metric === 'overdue' || part?.metric === 'aging') return true
  return aging.length > 0 || [fact, status].some((values) => values.length === 1 && values[0] === 'overdue')
}

/** Where in the rows this page is, and the ways on and back. Links keep the moment, so that pages fit together. */
type PagesProps = { context: PageContext; asOf: string; page: RowPage; state: RowsState }

function Pages({ context, asOf, page, state }: PagesProps) {
  const { format, params } = context
  const { first, total, rows, next, previous } = page
  const pinned = withChange(params, { as_of: params.get('as_of') ?? asOf })
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

function RowsTable({ context, page, state }: { context: PageContext; page: RowPage; state: RowsState }) {
  const [first, ...others] = state.columns
  if (first === undefined) return null
  const leads = context.settings.platformLinks?.assignment !== undefined
  return (
    <div class="figure">
      <Listing
        label={t('Rows')}
        className="rows"
        columns={[
          ...state.columns.map((column) => toHead(context, state, column)),
          leads ? t('At the platform') : null,
        ]}
        rows={page.rows.map((row) => (
          <tr data-assignment={row.assignment_id}>
            <th scope="row">
              <Cell context={context} row={row} column={first} />
            </th>
            {others.map((column) => (
              <td class={cellClass(column)}>
                <Cell context={context} row={row} column={column} />
              </td>
            ))}
            {leads ? (
              <td>
                <PlatformLink context={context} to="assignment" ids={row} />
              </td>
            ) : null}
          </tr>
        ))}
      />
      <ColumnChooser context={context} state={state} />
    </div>
  )
}

/** A head that sorts is a link. */
function toHead(context: PageContext, state: RowsState, column: RowColumn): Column {
  const { order } = state
  const sort = sortOf[column]
  const isSorted = sort?.by === order.by
  return {
    name: columnHead(column),
    className: isNumber(column) ? 'number' : undefined,
    sort: sort && {
      href: rowsPageHref(context.params, state, {
        order: isSorted ? { by: sort.by, descending: !order.descending } : sort,
      }),
      direction: isSorted ? (order.descending ? 'descending' : 'ascending') : undefined,
    },
  }
}

/** Which columns to show: a plain form. */
function ColumnChooser({ context, state }: { context: PageContext; state: RowsState }) {
  return (
    <details class="behind column-chooser">
      <summary>{t('Columns')}</summary>
      <form method="get" action="/assignments">
        <Hidden fields={[...pageParams(context.params), ['sort', toOrderText(state.order)]]} />
        <fieldset class="columns">
          <legend class="visually-hidden">{t('Columns to show')}</legend>
          {allColumns.map((column) => (
            <label class="check">
              <input type="checkbox" name="column" value={column} checked={state.columns.includes(column)} />
              {columnHead(column)}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="button">
          {t('Show these columns')}
        </button>
      </form>
    </details>
  )
}
