import type { Child } from 'hono/jsx'
import { isolateText, t } from '../../language/translate.ts'

type Sorting = {
  href: string
  /** Left out: the table has another order. */
  direction?: 'ascending' | 'descending' | undefined
  keepsPlace?: boolean
}

export type Column =
  | string
  /** Only for screen readers, as over a column of buttons. */
  | { read: string }
  /** `below`: the text under the name. */
  | { name: Child; className?: string | undefined; sort?: Sorting | undefined; below?: Child }
  /** Not in this table. */
  | null

/** `optional`: shown where there is room. */
export function numeric(name: Child, optional?: 'optional'): Column {
  return { name, className: optional === undefined ? 'number' : 'number optional' }
}

export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          column === null ? null : typeof column === 'string' ? (
            <th scope="col">{column}</th>
          ) : 'read' in column ? (
            <th scope="col">
              <span class="visually-hidden">{column.read}</span>
            </th>
          ) : (
            <th scope="col" class={column.className} aria-sort={column.sort?.direction}>
              {column.sort === undefined ? column.name : <SortLink name={column.name} sort={column.sort} />}
              {column.below}
            </th>
          ),
        )}
      </tr>
    </thead>
  )
}

/** A second click turns the order round. */
function SortLink({ name, sort: { href, direction, keepsPlace } }: { name: Child; sort: Sorting }) {
  return (
    <a href={href} data-keep-place={keepsPlace}>
      {name}
      {direction === undefined ? null : (
        <span aria-hidden="true"> {direction === 'descending' ? '↓' : '↑'}</span>
      )}
    </a>
  )
}

type ListingProps = {
  label: string
  className?: string
  columns: readonly Column[]
  /** Said in place of rows. Left out where there always are some. */
  empty?: string
  /** Rows as cells: the first names the row, the others look like the heads of their columns. */
  cells?: readonly Child[][]
  /** Rows of another kind. */
  rows?: Child[]
}

/** A table, a line each. It scrolls sideways by itself, also by the keyboard. */
export function Listing({ label, className, columns, empty, cells = [], rows = [] }: ListingProps) {
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={label}>
      <table class={className}>
        <TableHead columns={columns} />
        <tbody>
          {cells.map(([name, ...others]) => (
            <tr>
              <th scope="row">{isolateCell(name)}</th>
              {others.map((cell, at) => (
                <Cell column={columns[at + 1]!}>{cell}</Cell>
              ))}
            </tr>
          ))}
          {rows}
          {cells.length + rows.length > 0 || empty === undefined ? null : (
            <tr>
              <td colspan={columns.filter((column) => column !== null).length}>{empty}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** A text that is a name turns no cell round. */
function isolateCell(cell: Child): Child {
  return typeof cell === 'string' ? isolateText(cell) : cell
}

function Cell({ column, children }: { column: Column; children?: Child }) {
  if (column === null) return null
  return (
    <td class={typeof column === 'object' && 'name' in column ? column.className : undefined}>
      {isolateCell(children)}
    </td>
  )
}

/** A value as it is said; an unknown one is "no data", and not zero. */
export function orNoData<Value>(value: Value | null, say: (value: Value) => Child): Child {
  return value === null ? <span class="no-data">{t('no data')}</span> : say(value)
}
