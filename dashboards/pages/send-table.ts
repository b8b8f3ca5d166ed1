import type { Context } from 'hono'
import { toTableXlsx } from '../../reporting/exports/blocks.ts'
import { toCsv, type Cell } from '../../reporting/exports/csv.ts'
import { toExportName } from '../../reporting/exports/export-name.ts'
import { xlsxType } from '../../reporting/exports/xlsx.ts'

export type TableFile = {
  /** What the file holds: a part of its name. */
  what: string
  extension: string
  rows: Cell[][]
  asOf: number
  /** The scope in force. */
  params: URLSearchParams
  sample: boolean
}

/** A table of a page as CSV or XLSX, whose name says what, of which moment, and with which filters. */
export function sendTable(c: Context, { what, extension, rows, asOf, params, sample }: TableFile): Response {
  const format = extension === 'xlsx' ? 'xlsx' : 'csv'
  return c.body(format === 'csv' ? toCsv(rows) : toTableXlsx(rows, what, sample), 200, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
    'content-disposition': `attachment; filename="${toExportName({ what, format, asOf, params, sample })}"`,
  })
}
