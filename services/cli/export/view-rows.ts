/** Streams the rows of an analysts' view. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toCsv, type Cell } from '../../../reporting/exports/csv.ts'
import { toXlsxStream, type SheetCell } from '../../../reporting/exports/xlsx.ts'
import { select } from '../statements.ts'

export async function* readObjects(client: ClickHouseClient, view: string): AsyncGenerator<unknown[]> {
  const answer = await client.query({
    query: 'SELECT * FROM rollcall.{view:Identifier} SETTINGS output_format_json_quote_64bit_integers = 0',
    query_params: { view },
    format: 'JSONEachRow',
  })
  for await (const rows of answer.stream()) yield rows.map((row) => row.json())
}

export async function* toViewCsv(client: ClickHouseClient, view: string): AsyncGenerator<string> {
  const { head, rows } = await readValues(client, view)
  yield toCsv([head])
  // Only the start of the file has the byte order mark.
  for await (const some of rows) {
    if (some.length > 0) yield toCsv(some.map((row) => row.map(toCell))).slice(1)
  }
}

export async function toViewXlsx(client: ClickHouseClient, view: string): Promise<ReadableStream<Uint8Array>> {
  const { head, rows } = await readValues(client, view)
  async function* cells(): AsyncGenerator<SheetCell[]> {
    for await (const some of rows) yield* some.map((row) => row.map(toSheetCell))
  }
  return toXlsxStream(cells(), { name: view, columns: head.map((header) => ({ header })) })
}

async function readValues(
  client: ClickHouseClient,
  view: string,
): Promise<{ head: string[]; rows: AsyncIterable<unknown[][]> }> {
  // Read separately: when chDB streams, a format with names repeats them at the head of every chunk.
  const columns = await select<{ name: string }>(client, 'view-columns', { view })
  const answer = await client.query({
    query: 'SELECT * FROM rollcall.{view:Identifier} SETTINGS output_format_json_quote_64bit_integers = 0',
    query_params: { view },
    format: 'JSONCompactEachRow',
  })
  return { head: columns.map(({ name }) => name), rows: decode(answer.stream()) }
}

async function* decode(stream: AsyncIterable<{ json(): unknown }[]>): AsyncGenerator<unknown[][]> {
  for await (const rows of stream) yield rows.map((row) => row.json() as unknown[])
}

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(String).join('; ')
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

function toSheetCell(value: unknown): SheetCell {
  return typeof value === 'boolean' ? value : toCell(value)
}
