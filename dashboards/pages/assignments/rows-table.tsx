import type { RowColumn } from '../../../schemas/metrics/columns.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import type { PageContext } from '../../page-context.ts'
import { PlatformLink } from '../../components/platform-link.tsx'
import { pageParams } from '../../scope/page-url.ts'
import { columnHead } from '../../../reporting/exports/column-heads.ts'
import { toOrderText } from '../../../reporting/queries/row-order.ts'
import { allColumns, Cell, cellClass, isNumber, sortOf } from './columns.tsx'
import { rowsPageHref, type RowsState } from './links.ts'
import { t } from '../../../language/translate.ts'

type RowsTableProps = { context: PageContext; page: RowPage; state: RowsState }

export function RowsTable({ context, page, state }: RowsTableProps) {
  const [first, ...others] = state.columns
  if (first === undefined) return null
  const leads = context.settings.platformLinks?.assignment !== undefined
  return (
    <div class="figure">
      <div class="scroll" tabindex={0} role="group" aria-label={t('Rows')}>
        <table class="rows">
          <thead>
            <tr>
              {state.columns.map((column) => (
                <Head context={context} state={state} column={column} />
              ))}
              {leads ? <th scope="col">{t('At the platform')}</th> : null}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row) => (
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
          </tbody>
        </table>
      </div>
      <ColumnChooser context={context} state={state} />
    </div>
  )
}

type HeadProps = { context: PageContext; state: RowsState; column: RowColumn }

/** A head that sorts is a link; a second click turns the order round. */
function Head({ context, state, column }: HeadProps) {
  const { order } = state
  const sort = sortOf[column]
  const name = columnHead(column)
  const isSorted = sort?.by === order.by
  const ariaSort = isSorted ? (order.descending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" class={isNumber(column) ? 'number' : undefined} aria-sort={ariaSort}>
      {sort === undefined ? (
        name
      ) : (
        <a
          href={rowsPageHref(context.params, state, {
            order: isSorted ? { by: sort.by, descending: !order.descending } : sort,
          })}
        >
          {name}
          {isSorted ? <span aria-hidden="true"> {order.descending ? '↓' : '↑'}</span> : null}
        </a>
      )}
    </th>
  )
}

/** Which columns to show: a plain form. */
function ColumnChooser({ context, state }: { context: PageContext; state: RowsState }) {
  return (
    <details class="behind column-chooser">
      <summary>{t('Columns')}</summary>
      <form method="get" action="/assignments">
        {[...pageParams(context.params)].map(([key, value]) => (
          <input type="hidden" name={key} value={value} />
        ))}
        <input type="hidden" name="sort" value={toOrderText(state.order)} />
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
