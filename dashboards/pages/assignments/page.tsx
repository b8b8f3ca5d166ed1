import { counted } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import type { RowOrder } from '../../../reporting/scope/row-order.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import type { RowColumn } from '../../../schemas/metrics/columns.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { list, toPart } from '../../blocks/list.tsx'
import { definePage, type PageData, type View } from '../../blocks/page.ts'
import {
  allColumns,
  assignmentTable,
  headOf,
  parseColumns,
  rowSortOf,
} from '../../components/assignment-table.tsx'
import { canOpen } from '../../components/access.tsx'
import { Behind } from '../../components/behind.tsx'
import { Hidden } from '../../components/field.tsx'
import { NoAssignments } from '../../components/messages.tsx'
import { mayRemind, remindHref, RemindForm, withTicks } from '../../components/remind.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { Table } from '../../components/table.tsx'
import { allFilters } from '../../scope/follow.ts'
import { oneOf, pageNumber, type OwnKey } from '../../scope/page-keys.ts'
import { href, ownValues, withChange } from '../../scope/page-url.ts'

type Kind = 'overdue' | 'waiting' | 'soon' | 'any'
type Sort = RowColumn | `-${RowColumn}`

const always: readonly RowColumn[] = ['user_name', 'challenge', 'effective_status', 'due_day']
/** What the rows of a kind have: their columns, and their order, the most pressing first. */
const kinds: Record<Kind, { order: Sort; columns: readonly RowColumn[] }> = {
  overdue: { order: '-days_overdue', columns: [...always, 'days_overdue', 'managers', 'teams'] },
  waiting: { order: 'waiting_since', columns: [...always, 'waiting_since', 'managers', 'teams'] },
  soon: { order: 'due_day', columns: [...always, 'managers', 'teams'] },
  any: {
    order: '-created_at',
    columns: [...always, 'days_overdue', 'calculated_grade', 'managers', 'teams'],
  },
}

function kindOf({ fact, aging, status, part }: Scope): Kind {
  const isOnly = (name: string) =>
    (fact.length === 1 && fact[0] === name) || (status.length === 1 && status[0] === name)
  if (isOnly('overdue') || aging.length > 0 || part?.metric === 'overdue' || part?.metric === 'aging')
    return 'overdue'
  if (isOnly('awaiting_grading') || isOnly('reviewer_overdue') || part?.metric === 'grading_backlog')
    return 'waiting'
  return isOnly('due_soon') ? 'soon' : 'any'
}

const sorts = Object.keys(rowSortOf).flatMap((name) => [name, `-${name}`]) as Sort[]
const own = {
  columns: { isList: true, read: (text) => parseColumns(text)?.join(',') } as OwnKey,
  sort: oneOf(sorts),
  page: pageNumber,
}
type RowsView = View<PageData & { page: RowPage }, typeof own>

const rowsPerPage = 50
/** To find a row of a later page takes as long as to find all rows before it. */
const mostPaged = 10_000

const columnsOf = ({ own: { columns }, scope }: Pick<RowsView, 'own' | 'scope'>) =>
  columns === undefined ? kinds[kindOf(scope)].columns : (columns.split(',') as RowColumn[])

const sortOf = ({ own: { sort }, scope }: Pick<RowsView, 'own' | 'scope'>): Sort =>
  sort ?? kinds[kindOf(scope)].order

function orderOf(view: Pick<RowsView, 'own' | 'scope'>): RowOrder {
  const sort = sortOf(view)
  const by = rowSortOf[sort.replace('-', '') as RowColumn] ?? 'created'
  return { by, descending: sort.startsWith('-') }
}

const canAssign = ({ routes, context }: RowsView) =>
  routes.orders !== undefined && canOpen(context, '/assign')

const isOverdueList = ({ scope, context }: RowsView) => kindOf(scope) === 'overdue' && mayRemind(context)

/** The rows behind a number, a page at a time. */
export const assignmentsPage = definePage<RowsView['data'], typeof own>({
  path: '/assignments',
  title: 'Assignments',
  question: ({ context, data }) => counted(context.format, data.page.total ?? 0, 'assignment'),
  keys: { own, rows: true },
  async read(ask) {
    const { queries } = ask.routes
    const { offset, limit } = toPart(ask.own.page, rowsPerPage)
    const part = offset < mostPaged ? { offset, limit } : { limit: 0 }
    const [page, frame] = await Promise.all([
      queries.assignments(ask.scope, { order: orderOf(ask), ...part, withTotal: true }),
      queries.frame(ask.scope),
    ])
    return { ...frame, answer: answerOf(ask.scope), page }
  },
  counts: ({ data: { page } }) => ({ total: page.total ?? 0, units: page.units ?? 0 }),
  exports: (view) => [
    { name: t('All columns'), href: fileOf(view, 'csv', null) },
    { name: t('All fields'), href: fileOf(view, 'json', null) },
  ],
  blocks: [
    {
      id: 'rows',
      title: 'Assignments',
      finding({ data: { page } }) {
        const { total, units } = page
        return units === total
          ? undefined
          : t('They count {n, plural, one {# time} other {# times}}: some became overdue more than once.', {
              n: units ?? 0,
            })
      },
      tools: Tools,
      list: list({
        table: rowsTable,
        rows: ({ data: { page } }) => ({ rows: page.rows, total: page.total ?? 0 }),
        most: rowsPerPage,
        pageKey: 'page',
        sortKey: 'sort',
        file: (view) => fileOf(view, 'csv', columnsOf(view)),
        empty: ({ context, data }) =>
          data.page.total === 0 ? (
            <NoAssignments context={context} hasFilters={allFilters(context).size > 0} />
          ) : (
            t('No rows on this page. Files have all rows.')
          ),
      }),
      content: (view, parts) => (
        <>
          {isOverdueList(view) ? (
            <RemindForm context={view.context} canAssign={canAssign(view)}>
              {parts.list}
            </RemindForm>
          ) : (
            parts.list
          )}
          <ColumnChooser {...view} />
        </>
      ),
    },
  ],
})

/** On lists of overdue work people can be ticked. */
function rowsTable(view: RowsView): Table<RowsView['data']['page']['rows'][number]> {
  const table = { ...assignmentTable(columnsOf(view)), order: sortOf(view) }
  return isOverdueList(view) ? withTicks(table) : table
}

function Tools(view: RowsView) {
  const { context, data } = view
  if (data.page.total === 0 || !(canAssign(view) || isOverdueList(view))) return null
  return (
    <div class="contacts">
      {isOverdueList(view) ? (
        <a class="pill" href={remindHref(context)}>
          {t('Remind these people')}
        </a>
      ) : null}
      {canAssign(view) ? (
        <a class="pill" href={href('/assign', withChange(context.params, {}))}>
          {t('Assign a guide to these people')}
        </a>
      ) : null}
    </div>
  )
}

/** Exactly these rows in this order. `columns`: `null` for all. */
function fileOf(view: RowsView, format: 'csv' | 'json', columns: readonly RowColumn[] | null): string {
  const { by, descending } = orderOf(view)
  const rows = withChange(view.rowParams, { as_of: view.data.answer.as_of, range: null, compare: null })
  const sort = `${descending ? '-' : ''}${by}`
  return href('/api/assignments', rows, { sort, columns: columns?.join(',') ?? null, format })
}

/** Which columns to show: a plain form. */
function ColumnChooser(view: RowsView) {
  const chosen = columnsOf(view)
  return (
    <Behind class="behind column-chooser" summary={t('Columns')}>
      <form method="get" action="/assignments">
        <Hidden fields={[...allFilters(view.context), ...ownValues({ sort: view.own.sort })]} />
        <fieldset class="columns">
          <legend class="visually-hidden">{t('Columns to show')}</legend>
          {[...chosen, ...allColumns.filter((name) => !chosen.includes(name))].map((name) => (
            <label class="check">
              <input type="checkbox" name="columns" value={name} checked={chosen.includes(name)} />
              {headOf(name)}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="button">
          {t('Show these columns')}
        </button>
      </form>
    </Behind>
  )
}
