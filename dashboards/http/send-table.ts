import type { Context } from 'hono'
import { toCsv, type Cell } from '../../reporting/exports/csv.ts'
import { toTableXlsx } from '../../reporting/exports/table-sheet.ts'
import { own } from '../../schemas/own.ts'
import { aboutSheet, sendAs, type Frame, type Query } from './send-file.ts'

/** A table of a page as CSV or XLSX. */
export function sendTable(c: Context, what: string, rows: Cell[][], query: Query, frame: Frame): Response {
  const { timeZone } = query.scope
  const { sample } = frame.freshness
  const format = c.req.path.endsWith('.xlsx') ? 'xlsx' : 'csv'
  const about = aboutSheet(query.scope, query.rowParams, frame.options, query.own)
  const body =
    format === 'csv'
      ? ReadableStream.from([Buffer.from(toCsv(rows))])
      : toTableXlsx(rows, { what, about, timeZone, sample })
  return sendAs(c, what, query, frame, format, body)
}

/** Which of a page's tables the file in the address is. */
export function tableOf<Table>(c: Context, tables: Readonly<Record<string, Table>>) {
  const [name = ''] = (c.req.param('file') ?? '').split('.')
  return { name, table: own(tables, name) }
}
