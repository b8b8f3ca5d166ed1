/** Tables as files, written while their rows are read. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toCell, toCsvChunks, type Cell } from '../../../reporting/exports/csv.ts'
import { toXlsxStream, type SheetCell } from '../../../reporting/exports/xlsx.ts'
import { select } from '../statements.ts'

type Row = Record<string, unknown>
export type Table = { name: string; columns: readonly string[]; rows: AsyncIterable<Row[]> | Iterable<Row[]> }

/** An analysts' view. */
export async function readView(client: ClickHouseClient, name: string): Promise<Table> {
  const columns = await select<{ name: string }>(client, 'view-columns', { view: name })
  const answer = await client.query({
    query: 'SELECT * FROM rollcall.{view:Identifier} SETTINGS output_format_json_quote_64bit_integers = 0',
    query_params: { view: name },
    format: 'JSONEachRow',
  })
  async function* read(): AsyncGenerator<Row[]> {
    for await (const rows of answer.stream()) yield rows.map((row) => row.json<Row>())
  }
  return { name, columns: columns.map((column) => column.name), rows: read() }
}

export const writers = {
  csv({ columns, rows }: Table): AsyncIterable<Uint8Array> {
    async function* toTables(): AsyncGenerator<Cell[][]> {
      yield [[...columns]]
      for await (const some of rows) yield some.map((row) => columns.map((name) => toCell(row[name])))
    }
    return toCsvChunks(toTables())
  },
  xlsx({ name, columns, rows }: Table): AsyncIterable<Uint8Array> {
    async function* cells(): AsyncGenerator<SheetCell[]> {
      for await (const some of rows) yield* some.map((row) => columns.map((column) => toSheetCell(row[column])))
    }
    return toXlsxStream(cells(), { name, columns: columns.map((header) => ({ header })) })
  },
  async *ndjson({ rows }: Pick<Table, 'rows'>): AsyncGenerator<string> {
    for await (const some of rows) yield some.map((row) => `${JSON.stringify(row)}\n`).join('')
  },
  async *json({ rows }: Pick<Table, 'rows'>): AsyncGenerator<string> {
    let isFirst = true
    for await (const some of rows) {
      if (some.length === 0) continue
      yield (isFirst ? '[\n' : ',\n') + some.map((row) => JSON.stringify(row)).join(',\n')
      isFirst = false
    }
    yield isFirst ? '[]\n' : '\n]\n'
  },
}

function toSheetCell(value: unknown): SheetCell {
  return typeof value === 'boolean' ? value : toCell(value)
}
