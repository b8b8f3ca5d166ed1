/** Runs a person's statement at /api/sql, as that person, so that whatever guards that address guards this too. */
import type { Context } from 'hono'
import { t } from '../../../language/translate.ts'
import { toCell, toCsvChunks, type Cell } from '../../../reporting/exports/csv.ts'
import { readLines, readStart } from '../../../services/runtime/http/read-body.ts'
import { toInsideRequest, type Ask } from '../../http/ask-inside.ts'

type Refused = { kind: 'refused'; message: string }
export type SqlResult =
  { kind: 'table'; columns: { name: string; type: string }[]; rows: unknown[][]; hasMore: boolean } | Refused

const shownRows = 500
const shownBytes = 4 * 1024 ** 2
const rowsPerChunk = 1_000
const sqlFormat = 'JSONCompactEachRowWithNamesAndTypes'

export async function isSqlOffered(c: Context, ask: Ask): Promise<boolean> {
  return (await ask(toInsideRequest(c, '/api/sql/ping', { method: 'GET' }), c.env)).ok
}

async function askRows(c: Context, ask: Ask, sql: string): Promise<Response | Refused> {
  const response = await askSql(c, ask, sql)
  if (!response.ok) return { kind: 'refused', message: toMessage(await response.text()) }
  if (response.headers.get('x-clickhouse-format') === sqlFormat) return response
  await response.body?.cancel()
  return { kind: 'refused', message: t('Leave out FORMAT.') }
}

export async function runSql(c: Context, ask: Ask, sql: string): Promise<SqlResult> {
  const response = await askRows(c, ask, sql)
  if (!(response instanceof Response)) return response
  // A page shows the beginning only, however large the answer is.
  const { text, isCut } = await readStart(response.body, shownBytes)
  const whole = text.split('\n').slice(0, -1)
  const rows = whole.slice(0, shownRows + 3).map(parseLine)
  const [names = [], types = [], ...lines] = rows as [string[]?, string[]?, ...unknown[][]]
  return {
    kind: 'table',
    columns: names.map((name, at) => ({ name, type: types[at] ?? '' })),
    rows: lines.slice(0, shownRows),
    hasMore: isCut || lines.length > shownRows,
  }
}

/** All rows as CSV, made harmless for spreadsheets. */
export async function exportSql(c: Context, ask: Ask, sql: string): Promise<Response | SqlResult> {
  const response = await askRows(c, ask, sql)
  if (!(response instanceof Response)) return response
  return new Response(ReadableStream.from(toCsvChunks(toTables(readLines(response.body)))), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="rollcall-query.csv"',
    },
  })
}

async function* toTables(lines: AsyncIterable<string>): AsyncGenerator<Cell[][]> {
  let at = 0
  let rows: Cell[][] = []
  for await (const line of lines) {
    // The second line has the types.
    if (at++ === 1) continue
    rows.push(parseLine(line).map((value) => (Array.isArray(value) ? JSON.stringify(value) : toCell(value))))
    if (rows.length < rowsPerChunk) continue
    yield rows
    rows = []
  }
  yield rows
}

/** A line of the answer. A number that JavaScript would change, of 64 bits or a decimal, is its text. */
function parseLine(line: string): unknown[] {
  return JSON.parse(line, keepDigits) as unknown[]
}

/** A double keeps fifteen digits. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  const isKept =
    typeof value !== 'number' || source.length <= 15 || String(value).replace('e+', 'e') === source
  return isKept ? value : source
}

/** The lines of the answer: names, types, then a line per row. */
function askSql(c: Context, ask: Ask, sql: string): Response | Promise<Response> {
  const init = { method: 'POST', body: sql, signal: c.req.raw.signal }
  return ask(toInsideRequest(c, `/api/sql?default_format=${sqlFormat}`, init), c.env)
}

/** `Code: 62. DB::Exception: words (NAME)`: the words are for people, the rest for tools. */
function toMessage(text: string): string {
  return text
    .trim()
    .replace(/^Code: \d+\. DB::Exception: /, '')
    .slice(0, 2_000)
}
