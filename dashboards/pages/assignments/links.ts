/** The state of the rows page beside the scope: order, columns, and the place in the order. */
import { parseColumns } from '../../api/row-pages.ts'
import type { RowColumn } from '../../../schemas/metrics/columns.ts'
import {
  newestFirst,
  parseCursor,
  parseRowOrder,
  toCursorText,
  toOrderText,
  type RowCursor,
  type RowOrder,
} from '../../../reporting/scope/row-order.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { href } from '../../scope/page-url.ts'
import { defaultColumns } from './columns.tsx'
import { t } from '../../../language/translate.ts'
import { toKeyNotices, unknownValue } from '../../scope/parse-page.ts'

export const rowsKeys = ['sort', 'columns', 'column', 'after', 'before'] as const

export type RowsState = {
  order: RowOrder
  columns: readonly RowColumn[]
  cursor: RowCursor | null
  backwards: boolean
  notices: string[]
}

/** The state of the page by its own keys; a key that cannot be used is left out, with a notice. */
export function parseRowsState(query: URLSearchParams, scope: Scope): RowsState {
  const valueOf = (name: string) => query.get(name) || null
  const order = (valueOf('sort') === null ? undefined : parseRowOrder(valueOf('sort') ?? '')) ?? null
  const names = valueOf('columns') ?? (query.has('column') ? query.getAll('column').join(',') : null)
  const columns = names === null ? defaultColumns : parseColumns(names)
  const notices = toKeyNotices(query, { sort: order })
  if (names !== null && columns === undefined) {
    const wrong = names.split(',').find((name) => parseColumns(name) === undefined) ?? names
    notices.push(unknownValue(valueOf('columns') === null ? 'column' : 'columns', wrong))
  }
  const chosen = order ?? defaultOrder(scope)
  const place = valueOf('after') ?? valueOf('before')
  const cursor = place === null ? null : (parseCursor(place, chosen) ?? null)
  if (place !== null && cursor === null)
    notices.push(t('The place in the list is not of this order: this is its beginning.'))
  return {
    order: chosen,
    columns: columns ?? defaultColumns,
    cursor,
    backwards: cursor !== null && valueOf('after') === null,
    notices,
  }
}

/** The most pressing first: the latest of late ones, the longest wait, what falls due next; else the newest. */
function defaultOrder({ fact, aging, status, part }: Scope): RowOrder {
  const isOnly = (name: string) =>
    (fact.length === 1 && fact[0] === name) || (status.length === 1 && status[0] === name)
  if (isOnly('overdue') || aging.length > 0 || part?.metric === 'overdue')
    return { by: 'days_late', descending: true }
  if (isOnly('awaiting_grading') || isOnly('reviewer_overdue') || part?.metric === 'grading_backlog')
    return { by: 'waiting', descending: false }
  if (isOnly('due_soon')) return { by: 'due', descending: false }
  return newestFirst
}

export type RowsChange = {
  order?: RowOrder
  after?: RowCursor | null
  before?: RowCursor | null
}

/** The same rows in another order or at another place. */
export function rowsPageHref(
  params: URLSearchParams,
  { order, columns }: RowsState,
  change: RowsChange,
): string {
  return href('/assignments', params, {
    sort: toOrderText(change.order ?? order),
    columns: columns === defaultColumns ? null : columns.join(','),
    after: change.after && toCursorText(change.after),
    before: change.before && toCursorText(change.before),
  })
}

/** The order and the columns that the reader chose. */
export function toRowsKeeps({ order, columns }: RowsState, query: URLSearchParams) {
  return {
    sort: query.has('sort') ? toOrderText(order) : null,
    columns: columns === defaultColumns ? null : columns.join(','),
  }
}

/** Exactly these rows in this order as a file, with these columns or all of them. */
export function rowsFile(
  rowParams: URLSearchParams,
  { order, columns }: RowsState,
  asOf: string,
  format: 'csv' | 'xlsx' | 'json',
  which: 'shown' | 'all',
): string {
  const file = new URLSearchParams([...rowParams].filter(([key]) => key !== 'range' && key !== 'compare'))
  return href('/api/assignments', file, {
    as_of: asOf,
    sort: toOrderText(order),
    columns: which === 'shown' ? columns.join(',') : null,
    format,
  })
}
