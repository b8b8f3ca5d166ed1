/**
 * XLSX, written while the rows arrive, so memory stays bounded. Text is a text cell, so no spreadsheet runs it. After
 * 1,048,576 rows another sheet continues with the same head.
 */
import type { Cell, CellValue } from 'hucre/xlsx'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import { wrongEnd } from '../../schemas/metrics/shown-share.ts'

/** A `Date` holds local time in its UTC fields: spreadsheets know no zones. */
export type SheetCell = string | number | boolean | Date | null

export type SheetColumn = { header: string; kind?: keyof typeof formats }

type SheetOptions = {
  /** Up to 31 characters, without []:*?/\ */
  name: string
  columns: readonly SheetColumn[]
  /** Said above the heads: of which moment the sheet is, and filtered by what. Default: nothing. */
  about?: string
  /** Default: as many as a spreadsheet allows. */
  maxRowsPerSheet?: number
}

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const maxTextLength = 32_767

/** Sheets of more rows are written while they are read, which the library does without buttons to filter. */
const mostFilteredRows = 5_000

const formats = { instant: 'yyyy-mm-dd hh:mm', date: 'yyyy-mm-dd', percent: '0%', days: '0.0' }
/** Of a share that would round to an end without being there. */
const besideEnd = { 0: '"<1%"', 1: '">99%"' }
/** Where a cell cannot have a format of its own: enough digits that no share rounds to an end. */
const longPercent = '0.0#########%'
const widths: Partial<Record<keyof typeof formats, number>> = { instant: 18 }

type Rows = AsyncIterable<SheetCell[]> | Iterable<SheetCell[]>

export function toXlsxStream(rows: Rows, options: SheetOptions): ReadableStream<Uint8Array> {
  return ReadableStream.from(toChunks(rows, options))
}

async function* toChunks(rows: Rows, options: SheetOptions): AsyncGenerator<Uint8Array> {
  // A start does without its many files.
  const { writeXlsx, writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } = await import('hucre/xlsx')
  const { name, columns, about, maxRowsPerSheet = XLSX_MAX_ROWS_PER_SHEET } = options
  const heads = columns.map(({ header }) => header)
  const top = (about === undefined ? [heads] : [[about], heads]).map((row) => row.map(toFittingCell))
  const toSheet = (percent: string) => ({
    name,
    columns: columns.map(({ header, kind }) => ({
      width: (kind && widths[kind]) ?? Math.max(12, header.length + 4),
      ...(kind !== undefined && { numFmt: kind === 'percent' ? percent : formats[kind] }),
    })),
    freezePane: { rows: top.length },
  })
  const iterator = toFittingRows(rows)
  const first: CellValue[][] = []
  try {
    const most = Math.min(mostFilteredRows, maxRowsPerSheet - top.length)
    while (first.length <= most) {
      const { done, value } = await iterator.next()
      if (done === true) {
        const range = `A${top.length}:${columnLetters(columns.length)}${top.length + first.length}`
        const rows = [...top, ...first]
        const cells = toOwnFormats(rows, columns)
        yield await writeXlsx({
          sheets: [{ ...toSheet(formats.percent), rows, cells, autoFilter: { range } }],
        })
        return
      }
      first.push(value)
    }
    // The library repeats the first row of a sheet on the next one, and a second row is ours to repeat.
    const repeated = top.slice(1)
    async function* toSheets(): AsyncGenerator<CellValue[]> {
      yield top[0] ?? []
      yield* repeated
      let room = maxRowsPerSheet - top.length
      for await (const row of inTurn(first, iterator)) {
        if (room === 0) {
          yield* repeated
          room = maxRowsPerSheet - top.length
        }
        room -= 1
        yield row
      }
    }
    // A million rows of forty columns may pass 4 GiB of XML.
    yield* writeXlsxStream(toSheets(), { ...toSheet(longPercent), maxRowsPerSheet, zip64: true })
  } finally {
    await iterator.return(undefined)
  }
}

/** By place: the cells whose share would round to an end. */
function toOwnFormats(
  rows: readonly CellValue[][],
  columns: readonly SheetColumn[],
): Map<string, Partial<Cell>> {
  const cells = rows.flatMap((row, y) =>
    row.flatMap((value, x): [string, Partial<Cell>][] => {
      if (columns[x]?.kind !== 'percent' || typeof value !== 'number') return []
      const end = wrongEnd(value, 0.01)
      return end === null ? [] : [[`${y},${x}`, { style: { numFmt: besideEnd[end] } }]]
    }),
  )
  return new Map(cells)
}

async function* inTurn<Row>(first: readonly Row[], others: AsyncIterable<Row>): AsyncGenerator<Row> {
  yield* first
  yield* others
}

/** 1 is A, 27 is AA. */
function columnLetters(n: number): string {
  return n <= 26
    ? String.fromCharCode(64 + n)
    : columnLetters(Math.floor((n - 1) / 26)) + columnLetters(((n - 1) % 26) + 1)
}

async function* toFittingRows(rows: Rows): AsyncGenerator<SheetCell[]> {
  for await (const row of rows) yield row.map(toFittingCell)
}

/**
 * `_x0041_` is how a sheet encodes characters that XML cannot hold; text of that form gets its first character encoded. The two that
 * have no such form would spoil the whole file.
 */
function toFittingCell(cell: SheetCell): SheetCell {
  if (typeof cell !== 'string') return cell
  const text = cell
    .slice(0, maxTextLength)
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
  return text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

/** The result holds the local year to millisecond in its UTC fields. */
export function createWallClock(timeZone: string): (epochMs: number) => Date {
  const { offsetAt } = daysIn(timeZone)
  return (epochMs) => new Date(epochMs + offsetAt(epochMs))
}
