/** Rows as CSV while they are read: no cap, and memory for one page of them. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toCsv, type Cell } from '../exports/csv.ts'
import { assignmentColumns, type AssignmentRow } from '../queries/assignment-row.ts'

/** `pages` is read as fast as the reader of the stream takes it, and no further when he goes away. */
export function toCsvStream(pages: AsyncIterable<AssignmentRow[]>, sample: boolean): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const columns: string[] = [...assignmentColumns, ...(sample ? ['sample_data'] : [])]
  const iterator = pages[Symbol.asyncIterator]()
  let isFirst = true
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value: rows } = await iterator.next()
      if (done === true) return controller.close()
      const lines = rows.map((row) => [
        ...assignmentColumns.map((column) => toCell(row[column])),
        ...(sample ? ['true'] : []),
      ])
      const text = toCsv(isFirst ? [columns, ...lines] : lines)
      // Only the file begins with the mark that says UTF-8.
      controller.enqueue(encoder.encode(isFirst ? text : text.slice(1)))
      isFirst = false
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

function toCell(value: AssignmentRow[keyof AssignmentRow]): Cell {
  if (Array.isArray(value)) return value.join('; ')
  return typeof value === 'boolean' ? String(value) : value
}

/** Moment and filters are in the name; what not every file system takes is a dash. */
export function toExportName(what: string, scope: Scope, params: URLSearchParams, sample: boolean): string {
  const moment = new Date(scope.asOf).toISOString().slice(0, 16).replace(':', '')
  const apart = ['as_of', 'format', 'per_page', 'after']
  const filters = [...params].filter(([key, value]) => value !== '' && !apart.includes(key))
  const name = `rollcall${sample ? '_SAMPLE' : ''}_${what}_as-of-${moment}Z${filters.map(([key, value]) => `_${key}-${value}`).join('')}`
  return `${name.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 150)}.csv`
}
