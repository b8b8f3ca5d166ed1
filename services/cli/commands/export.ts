/** `rollcall export`: metrics, their rows, or a view as a file, written while it is read. */
import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { sayProblemInEnglish } from '../../../language/problems.ts'
import { toAssignmentsCsv, toAssignmentsXlsx } from '../../../reporting/exports/assignment-rows.ts'
import { type Cell, toCell, toCsvChunks } from '../../../reporting/exports/csv.ts'
import { type SheetCell, toXlsxStream } from '../../../reporting/exports/xlsx.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { scopeKeys, toAttributeKey } from '../../../reporting/scope/filters.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { CommandError, defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { exportable, exportFormats } from '../exportable.ts'
import { select } from '../statements.ts'

type Format = (typeof exportFormats)[number]

type Pieces = AsyncIterable<Uint8Array | string>

export function createExportCommand({ client, streamer, config }: CommandDeps) {
  const queries = createQueries(ownReader(client), { streamer: ownReader(streamer) })
  return defineCommand(
    z.object({
      what: z.string(),
      format: z.enum(exportFormats),
      /** The filters of `/api/metrics`. */
      filters: z.array(z.tuple([z.string(), z.string()])),
    }),
    async ({ what, format, filters }, { report, write, signal }) => {
      if (!exportable.includes(what)) {
        throw new CommandError('usage', `Cannot export ${what}. Exportable: ${exportable.join(', ')}.`)
      }
      const pieces = await open(what, format, filters)
      let bytes = 0
      for await (const piece of pieces) {
        signal.throwIfAborted()
        const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
        await write(chunk)
        bytes += chunk.byteLength
        report({ step: `Exporting ${what}, bytes`, done: bytes })
      }
      const sample = await queries.isSample()
      return {
        outcome: 'done',
        lines: [`Exported ${what} as ${format}: ${bytes} bytes.${sample ? ' The data are a sample.' : ''}`],
        data: { what, format, bytes, sample },
      }
    },
  )

  async function open(what: string, format: Format, filters: readonly [string, string][]): Promise<Pieces> {
    if (what === 'metrics') return openMetrics(format, toScope(filters))
    if (what === 'assignments' && format !== 'parquet') return openAssignments(format, toScope(filters))
    if (filters.length > 0) {
      throw new CommandError(
        'usage',
        `Filters are for metrics and for assignments, and not with parquet: use another format.`,
      )
    }
    if (format !== 'parquet') return writers[format](await readView(streamer, what))
    const query = 'SELECT * FROM rollcall.{view:Identifier} FORMAT Parquet'
    const { stream } = await client.exec({ query, query_params: { view: what } })
    return stream as Readable
  }

  async function openMetrics(format: Format, scope: Scope): Promise<Pieces> {
    if (format === 'parquet') {
      throw new CommandError('usage', 'Metrics are not a table: export them as json, ndjson, csv or xlsx.')
    }
    const answer = await queries.metrics(scope)
    if (format === 'json') return ReadableStream.from([`${JSON.stringify(answer, null, 2)}\n`])
    return writers[format]({ name: 'metrics', columns: metricColumns, rows: [toMetricRows(answer)] })
  }

  async function openAssignments(format: Exclude<Format, 'parquet'>, scope: Scope): Promise<Pieces> {
    const sample = await queries.isSample()
    const rows = await queries.allAssignments(scope)
    if (format === 'csv') return toAssignmentsCsv(rows, { sample })
    return format === 'xlsx' ? toAssignmentsXlsx(rows, { sample, timeZone: scope.timeZone }) : writers[format]({ rows })
  }

  function toScope(filters: readonly [string, string][]): Scope {
    const options = { now: Date.now(), settings: config }
    const { scope, problems } = parseScope(new URLSearchParams([...filters]), options)
    if (problems.length === 0) return scope
    const words = problems.map(({ parameter, ...problem }) => `${parameter} ${sayProblemInEnglish(problem)}`).join('; ')
    throw new CommandError(
      'usage',
      `${words}. Filters are: ${[...scopeKeys, ...config.userAttributes.map(toAttributeKey)].join(', ')}.`,
    )
  }
}

/** All metrics of an answer as one table: a line per number, so it fits a sheet. Lists have a line per entry. */
const metricColumns = ['metric', 'of', 'field', 'value'] as const

type MetricRow = Record<(typeof metricColumns)[number], unknown>

function toMetricRows({ metrics }: MetricsAnswer): MetricRow[] {
  return Object.entries(metrics).flatMap(([metric, value]) => toRows(metric, '', value))
}

function toRows(metric: string, of: string, value: unknown, field = ''): MetricRow[] {
  if (Array.isArray(value)) return value.flatMap((entry) => toEntryRows(metric, of, entry as unknown))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      toRows(metric, of, inner, field === '' ? key : `${field}.${key}`),
    )
  }
  return [{ metric, of, field: field === '' ? 'value' : field, value }]
}

/** The first field of an entry is its label: a bucket, a status, the start of a period. */
function toEntryRows(metric: string, of: string, entry: unknown): MetricRow[] {
  if (typeof entry !== 'object' || entry === null) return toRows(metric, of, entry)
  const [[, name] = [], ...rest] = Object.entries(entry)
  const about = [of, String(name)].filter((part) => part !== '').join(' ')
  return rest.flatMap(([key, inner]) => toRows(metric, about, inner, key))
}

// Tables as files, written while their rows are read.

type Row = Record<string, unknown>
type Table = { name: string; columns: readonly string[]; rows: AsyncIterable<Row[]> | Iterable<Row[]> }

/** An analysts' view. */
async function readView(client: ClickHouseClient, name: string): Promise<Table> {
  const columns = await select<{ name: string }>(client, 'view-columns', { view: name })
  const answer = await client.query({
    // Streamed, however slowly its reader takes it, hence the hour.
    query:
      'SELECT * FROM rollcall.{view:Identifier} SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 3600',
    query_params: { view: name },
    format: 'JSONEachRow',
  })
  async function* read(): AsyncGenerator<Row[]> {
    for await (const rows of answer.stream()) yield rows.map((row) => row.json<Row>())
  }
  return { name, columns: columns.map((column) => column.name), rows: read() }
}

const writers = {
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
