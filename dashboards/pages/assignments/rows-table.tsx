import type { RowColumn } from '../../../schemas/metrics/columns.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import type { PageContext } from '../../page-context.ts'
import { PlatformLink } from '../../components/people.tsx'
import { pageParams } from '../../scope/page-url.ts'
import { columnHead } from '../../../reporting/exports/column-heads.ts'
import { toOrderText } from '../../../reporting/scope/row-order.ts'
import { allColumns, Cell, cellClass, isNumber, sortOf } from './columns.tsx'
import { rowsPageHref, type RowsState } from './links.ts'
import { t } from '../../../language/translate.ts'
import { Hidden } from '../../components/field.tsx'
import { Listing, type Column } from '../../components/listing.tsx'

export function RowsTable({ context, page, state }: { context: PageContext; page: RowPage; state: RowsState }) {
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
