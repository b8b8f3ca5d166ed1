import type { Context } from 'hono'
import { toCsv } from '../../reporting/exports/csv.ts'
import { toXlsxStream } from '../../reporting/exports/xlsx.ts'
import { toFile, toSheet, type Table } from '../components/table.tsx'
import { sendAs, type Frame, type Query } from './send-table.ts'

type Content<Row> = { table: Table<Row>; rows: readonly Row[] }

/** The rows of a table as CSV or XLSX. */
export function sendFile<Row>(
  c: Context,
  what: string,
  { table, rows }: Content<Row>,
  query: Query,
  frame: Frame,
) {
  return sendAs(c, what, query, frame, {
    toCsv: () => toCsv(toFile(table, rows)),
    toXlsx(about) {
      const sheet = toSheet(table, rows, query.scope.timeZone)
      // As long as spreadsheets allow.
      const name = (frame.freshness.sample ? `SAMPLE DATA, ${what}` : what).slice(0, 31)
      return toXlsxStream(sheet.rows, { name, columns: sheet.columns, about })
    },
  })
}
