import type { Context } from 'hono'
import { toTableXlsx } from '../../reporting/exports/overview-tables.ts'
import { toCsv, type Cell } from '../../reporting/exports/csv.ts'
import { toExportName } from '../../reporting/exports/export-name.ts'
import { xlsxType } from '../../reporting/exports/xlsx.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import { pageRequest } from './page-request.ts'

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

/** The same of the scope in the address, read by `readTable`. */
export async function sendScopeTable(
  c: Context,
  routes: RouteContext,
  { what, extension }: Pick<TableFile, 'what' | 'extension'>,
  readTable: (scope: Scope) => Promise<Cell[][]>,
): Promise<Response> {
  const { scope, rowParams } = pageRequest(c, routes)
  const [rows, { freshness }] = await Promise.all([readTable(scope), routes.rows.frame(scope)])
  return sendTable(c, { what, extension, rows, asOf: scope.asOf, params: rowParams, sample: freshness.sample })
}
