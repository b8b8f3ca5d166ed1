import type { Context } from 'hono'
import { toCsv } from '../../reporting/exports/csv.ts'
import { toExportName } from '../../reporting/exports/export-name.ts'
import { toXlsxStream, xlsxType } from '../../reporting/exports/xlsx.ts'
import { toFile, toSheet, type Table } from '../components/table.tsx'
import { aboutSheet, type Frame, type Query } from './send-table.ts'

/** A table as CSV or XLSX, as the address says. Its name says what, of which moment, and with which filters. */
export function sendFile<Row>(
  c: Context,
  what: string,
  { table, rows }: { table: Table<Row>; rows: readonly Row[] },
  { scope, rowParams, own = [] }: Query,
  { freshness: { sample }, options }: Frame,
): Response {
  const format = c.req.path.endsWith('.xlsx') ? 'xlsx' : 'csv'
  const { asOf, timeZone } = scope
  const params = new URLSearchParams([...rowParams, ...own.map(({ key, id }) => [key, id] as [string, string])])
  const headers = {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
    'content-disposition': `attachment; filename="${toExportName({ what, format, asOf, params, sample })}"`,
  }
  if (format === 'csv') return c.body(toCsv(toFile(table, rows)), 200, headers)
  const sheet = toSheet(table, rows, timeZone)
  // As long as spreadsheets allow.
  const name = (sample ? `SAMPLE DATA, ${what}` : what).slice(0, 31)
  return c.body(
    toXlsxStream(sheet.rows, { name, columns: sheet.columns, about: aboutSheet(scope, rowParams, options, own) }),
    200,
    headers,
  )
}
