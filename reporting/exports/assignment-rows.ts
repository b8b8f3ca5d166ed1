/** The rows of assignments as streamed files: the same columns in the same order in every format. */
import {
  type AssignmentRow,
  instantColumns,
  type RowColumn,
  rowColumns,
} from '../../schemas/metrics/columns.ts'
import { daysIn } from '../expressions/zone.ts'
import { columnHead } from './column-heads.ts'
import { toCell, toCsv } from './csv.ts'
import { type SheetCell, toXlsxStream } from './xlsx.ts'

const isId = (name: RowColumn) => /_ids?$/.test(name)
/** All columns: names first, ids last. */
export const fileColumns: readonly RowColumn[] = [
  ...rowColumns.filter((name) => !isId(name)),
  ...rowColumns.filter(isId),
]

/** `columns`: which ones, in this order. Default: all. */
type FileSettings = { sample: boolean; columns?: readonly RowColumn[] | null }

/** Reads `pages` only as fast as the stream's reader takes them, and stops when the reader leaves. */
export function toAssignmentsCsv(
  pages: AsyncIterable<AssignmentRow[]>,
  { sample, columns }: FileSettings,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const chosen = columns ?? fileColumns
  const head: string[] = [...chosen, ...(sample ? ['sample_data'] : [])]
  const iterator = pages[Symbol.asyncIterator]()
  let isFirst = true
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value: rows } = await iterator.next()
      if (done === true && !isFirst) return controller.close()
      const lines = (done === true ? [] : rows).map((row) => [
        ...chosen.map((column) => toCell(row[column])),
        ...(sample ? ['true'] : []),
      ])
      const text = toCsv(isFirst ? [head, ...lines] : lines)
      // Only the start of the file has the byte order mark.
      controller.enqueue(encoder.encode(isFirst ? text : text.slice(1)))
      isFirst = false
      if (done === true) controller.close()
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

type SheetSettings = FileSettings & { timeZone: string; about?: string; maxRowsPerSheet?: number }

export function toAssignmentsXlsx(
  pages: AsyncIterable<AssignmentRow[]>,
  { sample, timeZone, columns: choice, ...limits }: SheetSettings,
): ReadableStream<Uint8Array> {
  const chosen = choice ?? fileColumns
  const toWallClock = createWallClock(timeZone)
  const instants = new Set<string>(instantColumns)
  async function* toRows(): AsyncGenerator<SheetCell[]> {
    for await (const rows of pages) {
      for (const row of rows) {
        const cells = chosen.map((column) => toSheetCell(column, row[column]))
        yield sample ? [...cells, true] : cells
      }
    }
  }
  function toSheetCell(column: RowColumn, value: AssignmentRow[RowColumn]): SheetCell {
    if (Array.isArray(value)) return value.join('; ')
    if (typeof value !== 'string') return value
    if (column === 'due_day') return new Date(value)
    return instants.has(column) ? toWallClock(Date.parse(value)) : value
  }
  const columns = chosen.map((column) => {
    const header = columnHead(column)
    if (column === 'due_day') return { header, kind: 'date' as const }
    return instants.has(column) ? { header: `${header} (${timeZone})`, kind: 'instant' as const } : { header }
  })
  return toXlsxStream(toRows(), {
    name: sample ? 'assignments, SAMPLE DATA' : 'assignments',
    columns: sample ? [...columns, { header: columnHead('sample_data') }] : columns,
    ...limits,
  })
}

/** The result holds the local year to millisecond in its UTC fields. */
export function createWallClock(timeZone: string): (epochMs: number) => Date {
  const { offsetAt } = daysIn(timeZone)
  return (epochMs) => new Date(epochMs + offsetAt(epochMs))
}
