/**
 * One table: a column is the cell on a page, the column of the CSV and the XLSX, the order, and the name that the API has for it.
 * `TableView` shows it, `arrange` orders it, `toFile` and `toSheet` write it.
 */
import type { Child } from 'hono/jsx'
import { foldText } from '../../language/fold.ts'
import { isolateText, t, type Message } from '../../language/translate.ts'
import type { Cell } from '../../reporting/exports/csv.ts'
import { createWallClock, type SheetCell, type SheetColumn } from '../../reporting/exports/xlsx.ts'
import type { PageContext } from '../page-context.ts'
import type { Narrow } from '../scope/page-url.ts'
import { Bar, type BarProps } from './bar.tsx'
import { rowsOf } from './count.tsx'
import { fewestToRank } from './figures/findings.ts'

/** How a value is written and aligned. `duration`: ms. `day`: YYYY-MM-DD. `instant`: ISO 8601. */
export type Kind = 'text' | 'count' | 'percent' | 'duration' | 'decimal' | 'day' | 'instant'

export type Column<Row> = {
  /** The name in files, in `?sort=` and in the API. */
  key: string
  head: Message | (() => string)
  kind: Kind
  /** `null`: no data, which is never 0. */
  value: (row: Row) => Cell | boolean
  only?: 'page' | 'file' | 'both'
  sorts?: boolean
  /** Shown where there is room. */
  optional?: boolean
  /** The number of things behind the value: under `fewestToRank` it is grey, and last in every order. */
  of?: (row: Row) => number
  /** The assignments behind the number, within those of the row. */
  rows?: Narrow | ((row: Row) => Narrow)
  /** The page of the row's thing; `null` if it has none. */
  href?: (row: Row, context: PageContext) => string | null
  /** Before the value. `null`: none in this row. */
  bar?: (row: Row) => BarProps | null
  /** Under the head: what the mark in the bars means. */
  below?: (context: PageContext) => Child
  /** Of the value, under the pointer: "12 of 30". */
  hint?: (row: Row, context: PageContext) => string
  cell?: (row: Row, context: PageContext) => Child
  note?: (row: Row, context: PageContext) => Child
}

export type Table<Row> = {
  label: Message | (() => string)
  /** The first one names the row. */
  columns: readonly Column<Row>[]
  /** The name of a row in words. Default: the value of the first column. */
  nameOf?: (row: Row) => string
  /** The assignments of a row. Default: no number leads to its rows. `null`: those of this row cannot be selected. */
  narrow?: (row: Row) => Narrow | null
  /** The order without `?sort=`, as in an address: `-overdue`. Default: as the rows come. */
  order?: string
  /** `list-cards`: on a phone each row is a card; with `named`, each cell has its head. */
  className?: string
}

type More<Row> = Partial<Column<Row>>
type Field<Row> = NoInfer<keyof Row & string>

/** A column in a line. Without a value it is the field of its key. */
export function column<Row>(
  kind: Kind,
  key: Field<Row>,
  head: Column<Row>['head'],
  more?: More<Row>,
): Column<Row>
export function column<Row>(
  kind: Kind,
  key: string,
  head: Column<Row>['head'],
  value: Column<Row>['value'],
  more?: More<Row>,
): Column<Row>
export function column<Row>(
  kind: Kind,
  key: string,
  head: Column<Row>['head'],
  value: Column<Row>['value'] | More<Row> = {},
  more: More<Row> = {},
): Column<Row> {
  if (typeof value === 'function') return { key, head, kind, value, ...more }
  return { key, head, kind, value: (row) => row[key as keyof Row] as Cell | boolean, ...value }
}

/** Only in files: ids, and the numbers behind a rate. */
export const inFile = <Row,>(
  kind: Kind,
  key: string,
  head: Column<Row>['head'],
  value: Column<Row>['value'] = (row) => row[key as keyof Row] as Cell | boolean,
): Column<Row> => ({ key, head, kind, value, only: 'file' })

/** The part of a whole that a count is. */
export const shareOf = <Row,>(whole: number, count: (row: Row) => number): Column<Row> =>
  column('percent', 'share', 'Share§part', (row) => (whole === 0 ? null : count(row) / whole), {
    only: 'page',
  })

export const say = (words: Message | (() => string)): string =>
  typeof words === 'string' ? t(words as 'Person') : words()

const isDate = (kind: Kind): boolean => kind === 'day' || kind === 'instant'
const isNumber = (kind: Kind): boolean => kind !== 'text' && !isDate(kind)

/** `by`: a key, after `-` descending. Nulls and values of a few come last; equal rows keep their order. */
export function arrange<Row>(
  { columns, order }: Table<Row>,
  rows: readonly Row[],
  by = order,
): readonly Row[] {
  const [key, sign] = by?.startsWith('-') ? [by.slice(1), -1] : [by, 1]
  const column = columns.find((each) => each.key === key)
  if (column === undefined) return rows
  const { value, of } = column
  const isLast = (row: Row) => value(row) === null || (of !== undefined && of(row) < fewestToRank)
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)]
    return Number(isLast(a)) - Number(isLast(b)) || sign * compare(x, y)
  })
}

function compare(a: Cell | boolean, b: Cell | boolean): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true })
}

/** The rows with a text in them, whatever its case and accents. */
export function find<Row>(
  { columns, nameOf }: Table<Row>,
  rows: readonly Row[],
  text: string,
): readonly Row[] {
  const texts = columns.filter(({ kind }) => kind === 'text')
  const allOf = (row: Row) => [nameOf?.(row), ...texts.map(({ value }) => value(row))].join(' ')
  return rows.filter((row) => foldText(allOf(row)).includes(foldText(text)))
}

export function sortsOf<Row>({ columns }: Table<Row>): string[] {
  return columns.flatMap(({ key, sorts }) => (sorts === true ? [key, `-${key}`] : []))
}

const fileColumns = <Row,>({ columns }: Table<Row>) => columns.filter(({ only }) => only !== 'page')

/** The heads of a CSV, and a line of it. */
export function toFile<Row>(table: Table<Row>) {
  const columns = fileColumns(table)
  const toCell = (value: Cell | boolean) => (typeof value === 'boolean' ? String(value) : value)
  return {
    head: columns.map(({ key }) => key),
    toLine: (row: Row): Cell[] => columns.map(({ value }) => toCell(value(row))),
  }
}

const dayMs = 86_400_000

/** The columns of an XLSX, and a line of it: heads in words, numbers and dates as such. */
export function toSheet<Row>(table: Table<Row>, timeZone: string) {
  const toWallClock = createWallClock(timeZone)
  const columns = fileColumns(table)
  const toSheetColumn = ({ head, kind }: Column<Row>): SheetColumn => {
    if (kind === 'duration') return { header: t('{head}, days', { head: say(head) }), kind: 'days' }
    if (kind === 'instant') return { header: `${say(head)} (${timeZone})`, kind }
    if (kind === 'percent') return { header: t('{head}, share', { head: say(head) }), kind }
    return { header: say(head), ...(kind === 'day' && { kind: 'date' }) }
  }
  const toSheetCell = (kind: Kind, cell: Cell | boolean): SheetCell => {
    if (cell === null || cell === '') return cell
    if (kind === 'duration') return Number(cell) / dayMs
    if (kind === 'day') return new Date(String(cell))
    return kind === 'instant' ? toWallClock(Date.parse(String(cell))) : cell
  }
  return {
    columns: columns.map(toSheetColumn),
    toLine: (row: Row) => columns.map(({ kind, value }) => toSheetCell(kind, value(row))),
  }
}

export function write(
  kind: Kind,
  value: string | number | boolean,
  { format }: Pick<PageContext, 'format'>,
): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (typeof value === 'string') {
    if (kind === 'day') return format.dayYear(value)
    return kind === 'instant' ? format.instantDay(value) : isolateText(value)
  }
  if (kind === 'percent') return format.percent(value)
  if (kind === 'duration') return format.duration(value)
  return kind === 'decimal' ? format.decimal(value) : format.count(value)
}

type TableViewProps<Row> = {
  context: PageContext
  table: Table<Row>
  rows: readonly Row[]
  /** How the rows are sorted, and where a click on a head leads. Default: nobody can sort them. */
  sorting?: { by: string | undefined; href: (by: string) => string } | undefined
  /** Whether a chart is drawn of it: the script reads the values from there. */
  plotted?: boolean
}

/** A row a line. It scrolls sideways by itself, also by the keyboard. */
export function TableView<Row>({ context, table, rows, sorting, plotted = false }: TableViewProps<Row>) {
  const columns = table.columns.filter(({ only }) => only !== 'file')
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={say(table.label)}>
      <table class={plotted ? 'data' : (table.className ?? 'rows')} data-plot-table={plotted || undefined}>
        <thead>
          <tr>{columns.map((column, at) => showHead(column, at === 0, context, sorting))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{columns.map((column, at) => showCell(table, column, at === 0, row, context))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function showHead<Row>(
  column: Column<Row>,
  isFirst: boolean,
  context: PageContext,
  sorting: TableViewProps<Row>['sorting'],
) {
  const name = say(column.head)
  const sort = toSort(column, sorting)
  // The first column names the rows, also by numbers.
  const className = isFirst ? undefined : classOf(column)
  return (
    <>
      <th scope="col" class={column.bar === undefined ? className : 'bar-cell'} aria-sort={sort?.direction}>
        {sort === undefined ? (
          name
        ) : (
          <a href={sort.href} data-keep-place>
            {name}
            {sort.direction === undefined ? null : (
              <span aria-hidden="true"> {sort.direction === 'descending' ? '↓' : '↑'}</span>
            )}
          </a>
        )}
        {column.below?.(context)}
      </th>
      {/* Where there is room for bars their head is enough to be seen; where there is none, this one is. */}
      {column.bar === undefined ? null : (
        <th scope="col" class={className}>
          <span class="visually-hidden rate-head">{name}</span>
        </th>
      )}
    </>
  )
}

/** A first click on numbers puts the largest first, a second one turns the order round. */
function toSort<Row>({ key, kind, sorts }: Column<Row>, sorting: TableViewProps<Row>['sorting']) {
  if (sorting === undefined || sorts !== true) return undefined
  const { by, href } = sorting
  const [first, second] = isNumber(kind) ? [`-${key}`, key] : [key, `-${key}`]
  const direction = by === key ? 'ascending' : by === `-${key}` ? 'descending' : undefined
  return { href: href(by === first ? second : first), direction } as const
}

function classOf<Row>({ kind, optional }: Column<Row>, ...more: (string | false)[]): string | undefined {
  const names = [isNumber(kind) && 'number', isDate(kind) && 'date', optional && 'optional', ...more]
  return names.filter(Boolean).join(' ') || undefined
}

function showCell<Row>(
  table: Table<Row>,
  column: Column<Row>,
  isFirst: boolean,
  row: Row,
  context: PageContext,
) {
  const { cell } = column
  const content = cell === undefined ? showValue(table, column, isFirst, row, context) : cell(row, context)
  if (isFirst) return <th scope="row">{content}</th>
  const isFew = column.of !== undefined && column.of(row) < fewestToRank
  const isZero = column.kind === 'count' && column.value(row) === 0
  const bar = column.bar?.(row)
  return (
    <>
      {column.bar === undefined ? null : <td class="bar-cell">{bar ? <Bar {...bar} /> : null}</td>}
      <td
        class={classOf(column, isFew && 'quiet', isZero && 'zero')}
        title={column.hint?.(row, context)}
        data-head={table.className?.includes('named') ? say(column.head) : undefined}
      >
        {content}
      </td>
    </>
  )
}

function showValue<Row>(
  table: Table<Row>,
  column: Column<Row>,
  isFirst: boolean,
  row: Row,
  context: PageContext,
) {
  const { kind, note, head } = column
  const value = column.value(row)
  if (value === null) return <span class="no-data">{t('no data')}</span>
  const name = isolateText(table.nameOf?.(row) ?? String(table.columns[0]?.value(row) ?? ''))
  const isName = isFirst && (kind === 'text' || table.nameOf !== undefined)
  const text = isName ? name : write(kind, value, context)
  const link = value === 0 ? null : (column.href?.(row, context) ?? toRows(context, table, column, row))
  const ofNumber = {
    class: kind === 'count' ? 'count' : undefined,
    'aria-label': t('{value} {what}: rows', { value: text, what: `${say(head)}, ${name}` }),
    'data-count': kind === 'count' && link?.startsWith('/assignments') ? value : undefined,
  }
  return (
    <>
      {link === null ? (
        text
      ) : (
        <a href={link} {...(isNumber(kind) ? ofNumber : { dir: 'auto' })}>
          {text}
        </a>
      )}
      {note === undefined ? null : <small> {note(row, context)}</small>}
    </>
  )
}

/** The assignments behind the number of a cell; `null` if no address selects them. */
function toRows<Row>(
  context: PageContext,
  { narrow }: Table<Row>,
  { rows }: Column<Row>,
  row: Row,
): string | null {
  const ofColumn = typeof rows === 'function' ? rows(row) : rows
  const ofRow = ofColumn === undefined ? null : (narrow?.(row) ?? null)
  return ofRow === null ? null : rowsOf(context, { ...ofRow, ...ofColumn })
}
