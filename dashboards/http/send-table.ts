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
import { filtersInWords, type OwnFilter } from '../scope/filter-words.ts'
import { own } from '../../schemas/own.ts'

/** The query of a page or a file: its scope, that scope as an address, and the filters beside it. Default: none. */
export type Query = {
  scope: Pick<Scope, 'asOf' | 'timeZone'>
  rowParams: URLSearchParams
  own?: readonly OwnFilter[]
}

/** The frame of the data. `options`: names for the values of filters. Left out: ids. */
export type Frame = { freshness: { sample: boolean }; options?: Overview['options'] }

/** A table of a page as CSV or XLSX. */
export function sendTable(c: Context, what: string, rows: Cell[][], query: Query, frame: Frame): Response {
  const { timeZone } = query.scope
  const { sample } = frame.freshness
  const toXlsx = (about: string) => toTableXlsx(rows, { what, about, timeZone, sample })
  return sendAs(c, what, query, frame, { toCsv: () => toCsv(rows), toXlsx })
}

type Content = { toCsv(): string; toXlsx(about: string): ReadableStream<Uint8Array> }

/** A file of the format in the address. Its name says what, of which moment, and with which filters. */
export function sendAs(c: Context, what: string, query: Query, frame: Frame, content: Content): Response {
  const format = c.req.path.endsWith('.xlsx') ? 'xlsx' : 'csv'
  const { scope, rowParams, own = [] } = query
  const { asOf } = scope
  const { sample } = frame.freshness
  const params = new URLSearchParams([
    ...rowParams,
    ...own.map(({ key, id }) => [key, id] as [string, string]),
  ])
  const about = aboutSheet(scope, rowParams, frame.options, own)
  return c.body(format === 'csv' ? content.toCsv() : content.toXlsx(about), 200, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
    'content-disposition': `attachment; filename="${toExportName({ what, format, asOf, params, sample })}"`,
  })
}

/** The moment of a sheet and its filters, in words. */
export function aboutSheet(
  { asOf, timeZone }: Query['scope'],
  params: URLSearchParams,
  options?: Overview['options'],
  own: readonly OwnFilter[] = [],
) {
  const format = createFormat({ locale: currentReading().locale, timeZone, now: asOf })
  const moment = format.instant(asOf)
  return `${t('As of {moment} {zones}.', { moment, zones: timeZone })} ${filtersInWords(params, format, options, own)}`
}

/** Which of a page's tables the file in the address is. */
export function tableOf<Table>(c: Context, tables: Readonly<Record<string, Table>>) {
  const [name = ''] = (c.req.param('file') ?? '').split('.')
  return { name, table: own(tables, name) }
}
