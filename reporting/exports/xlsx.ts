/**
 * XLSX, written while the rows arrive, so memory stays bounded. Text is a text cell, so no spreadsheet runs it. After
 * 1,048,576 rows another sheet continues with the same head.
 */
import { writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx'

/** A `Date` holds local time in its UTC fields: spreadsheets know no zones. */
export type SheetCell = string | number | boolean | Date | null

export type SheetColumn = { header: string; kind?: 'instant' | 'date' }

export type SheetOptions = {
  /** Up to 31 characters, without []:*?/\ */
  name: string
  columns: readonly SheetColumn[]
  /** Default: as many as a spreadsheet allows. */
  maxRowsPerSheet?: number
}

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Spreadsheets refuse longer cells. */
const maxTextLength = 32_767

const formats = { instant: 'yyyy-mm-dd hh:mm:ss.000', date: 'yyyy-mm-dd' }

export function toXlsxStream(
  rows: AsyncIterable<SheetCell[]> | Iterable<SheetCell[]>,
  { name, columns, maxRowsPerSheet = XLSX_MAX_ROWS_PER_SHEET }: SheetOptions,
): ReadableStream<Uint8Array> {
  return writeXlsxStream(toFittingRows(rows), {
    name,
    columns: columns.map(({ header, kind }) => ({
      header,
      width: kind === 'instant' ? 23 : Math.max(12, header.length + 2),
      ...(kind !== undefined && { numFmt: formats[kind] }),
    })),
    freezePane: { rows: 1 },
    maxRowsPerSheet,
    // A million rows of forty columns may pass 4 GiB of XML.
    zip64: true,
  })
}

async function* toFittingRows(rows: AsyncIterable<SheetCell[]> | Iterable<SheetCell[]>): AsyncGenerator<SheetCell[]> {
  for await (const row of rows) yield row.map(toFittingCell)
}

/**
 * `_x0041_` is how a sheet encodes characters that XML cannot hold; text of that form gets its first character encoded.
 */
function toFittingCell(cell: SheetCell): SheetCell {
  if (typeof cell !== 'string') return cell
  return cell.slice(0, maxTextLength).replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}
