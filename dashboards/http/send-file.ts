import type { Context } from 'hono'
import { createFormat } from '../../language/format.ts'
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import { toCsvChunks } from '../../reporting/exports/csv.ts'
import { toExportName, type ExportFormat } from '../../reporting/exports/export-name.ts'
import { toXlsxStream, xlsxType } from '../../reporting/exports/xlsx.ts'
import type { Overview } from '../../reporting/metrics/overview.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toFile, toSheet, type Table } from '../components/table.tsx'
import { filtersInWords, type OwnFilter } from '../scope/filter-words.ts'

/** The query of a page or a file: its scope, that scope as an address, and the filters beside it. Default: none. */
export type Query = {
  scope: Pick<Scope, 'asOf' | 'timeZone'>
  rowParams: URLSearchParams
  own?: readonly OwnFilter[]
}

/** The frame of the data. `options`: names for the values of filters. Left out: ids. */
export type Frame = { freshness: { sample: boolean }; options?: Overview['options'] }

/** `rows`: all, or some at a time, which are read only as fast as the client takes them. */
type Content<Row> = { table: Table<Row>; rows: readonly Row[] | AsyncIterable<readonly Row[]> }

/** The rows of a table as a file whose name says what, of which moment, and with which filters. Default: the format of the path. */
export function sendFile<Row>(
  c: Context,
  what: string,
  content: Content<Row>,
  query: Query,
  frame: Frame,
  format: ExportFormat = c.req.path.endsWith('.xlsx') ? 'xlsx' : 'csv',
): Response {
  const { sample } = frame.freshness
  const { asOf } = query.scope
  const body = format === 'csv' ? toCsvBody(content) : toXlsxBody(content, what, query, frame)
  const closed = Symbol.asyncIterator in content.rows ? closeAfter(body, content.rows) : body
  const own = (query.own ?? []).map(({ key, id }): [string, string] => [key, id])
  const params = new URLSearchParams([...query.rowParams, ...own])
  return c.body(closed, 200, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
    'content-disposition': `attachment; filename="${toExportName({ what, format, asOf, params, sample })}"`,
  })
}

function toCsvBody<Row>({ table, rows }: Content<Row>): ReadableStream<Uint8Array> {
  const { head, toLine } = toFile(table)
  async function* toLines() {
    yield [head]
    for await (const some of inBatches(rows)) yield some.map(toLine)
  }
  return ReadableStream.from(toCsvChunks(toLines()))
}

function toXlsxBody<Row>(
  { table, rows }: Content<Row>,
  what: string,
  query: Query,
  { freshness, options }: Frame,
): ReadableStream<Uint8Array> {
  const { columns, toLine } = toSheet(table, query.scope.timeZone)
  async function* toLines() {
    for await (const some of inBatches(rows)) for (const row of some) yield toLine(row)
  }
  // As long as spreadsheets allow.
  const name = (freshness.sample ? `SAMPLE DATA, ${what}` : what).slice(0, 31)
  return toXlsxStream(toLines(), { name, columns, about: aboutSheet(query, options) })
}

const inBatches = <Row>(rows: readonly Row[] | AsyncIterable<readonly Row[]>) =>
  Symbol.asyncIterator in rows ? rows : [rows]

/** Closes the rows also if the client leaves before the first one is read: a generator that has not begun closes nothing. */
function closeAfter(body: ReadableStream<Uint8Array>, rows: AsyncIterable<unknown>) {
  const [reader, iterator] = [body.getReader(), rows[Symbol.asyncIterator]()]
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await reader.cancel()
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The moment of a sheet and its filters, in words. */
function aboutSheet({ scope: { asOf, timeZone }, rowParams, own = [] }: Query, options: Frame['options']) {
  const format = createFormat({ locale: currentReading().locale, timeZone, now: asOf })
  const moment = format.instant(asOf)
  const filters = filtersInWords(rowParams, format, options, own)
  return `${t('As of {moment} {zones}.', { moment, zones: timeZone })} ${filters}`.trim()
}
