import type { Context } from 'hono'
import { createFormat } from '../../language/format.ts'
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import { toCsv, type Cell } from '../../reporting/exports/csv.ts'
import { toExportName } from '../../reporting/exports/export-name.ts'
import { toTableXlsx } from '../../reporting/exports/table-sheet.ts'
import { xlsxType } from '../../reporting/exports/xlsx.ts'
import type { Overview } from '../../reporting/metrics/overview.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import { filtersInWords } from '../scope/filter-words.ts'
import { pageRequest } from './page-request.ts'

export type TableFile = {
  /** What the file holds: a part of its name. */
  what: string
  extension: string
  rows: Cell[][]
  scope: Pick<Scope, 'asOf' | 'timeZone'>
  /** The scope in force. */
  params: URLSearchParams
  sample: boolean
  /** Names of what is filtered by. Left out: ids. */
  options?: Overview['options']
}

/** A table of a page as CSV or XLSX, whose name says what, of which moment, and with which filters. */
export function sendTable(c: Context, { what, extension, rows, scope, params, sample, options }: TableFile): Response {
  const format = extension === 'xlsx' ? 'xlsx' : 'csv'
  const { asOf, timeZone } = scope
  const about = aboutSheet(scope, params, options)
  return c.body(format === 'csv' ? toCsv(rows) : toTableXlsx(rows, { what, about, timeZone, sample }), 200, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
    'content-disposition': `attachment; filename="${toExportName({ what, format, asOf, params, sample })}"`,
  })
}

/** Of which moment a sheet is, and filtered by what. */
export function aboutSheet(
  { asOf, timeZone }: TableFile['scope'],
  params: URLSearchParams,
  options?: Overview['options'],
) {
  const format = createFormat({ locale: currentReading().locale, timeZone, now: asOf })
  const moment = format.instant(asOf)
  return `${t('As of {moment} {zones}.', { moment, zones: timeZone })} ${filtersInWords(params, format, options)}`
}

/** The same of the scope in the address, read by `readTable`. */
export async function sendScopeTable(
  c: Context,
  routes: RouteContext,
  { what, extension }: Pick<TableFile, 'what' | 'extension'>,
  readTable: (scope: Scope) => Promise<Cell[][]>,
): Promise<Response> {
  const { scope, rowParams: params } = pageRequest(c, routes)
  const [rows, { freshness, options }] = await Promise.all([readTable(scope), routes.queries.frame(scope)])
  return sendTable(c, { what, extension, rows, scope, params, sample: freshness.sample, options })
}
