/** The front as a Hono app: `createHttpFront(...)` answers at `/` and `/ping` of its mount point. */
import { Readable } from 'node:stream'
import { Hono, type Context } from 'hono'
import { compress } from 'hono/compress'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Execute, HttpAnswer, HttpStatement } from './http-front.ts'
import { readStatement } from './read-statement.ts'

export type HttpFrontOptions = {
  execute: Execute
  /** Shown to clients, which tell replicas apart by it. */
  serverName: string
  /** Statement and data of a request, unpacked. Default 64 MiB. */
  maxBodyBytes?: number
  /** Called with the cause of every failed request. */
  onError?: (error: unknown) => void
}

export function createHttpFront({
  execute,
  serverName,
  maxBodyBytes = 64 * 1024 ** 2,
  onError,
}: HttpFrontOptions): Hono {
  const app = new Hono()
  app.use(compress({ contentTypeFilter: /./ }))
  app.use(async (c, next) => {
    await next()
    c.header('x-clickhouse-server-display-name', serverName)
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })
  const answer = async (c: Context) => {
    const { signal } = c.req.raw
    let statement: HttpStatement | undefined
    try {
      statement = await readStatement(c.req.raw, maxBodyBytes)
      // Requests of browsers and health checks, without a statement.
      if (statement.sql.trim() === '') return c.text('Ok.\n')
      return toResponse(statement, await execute(statement, signal))
    } catch (error) {
      if (!signal.aborted) onError?.(error)
      return toProblem(error, statement)
    }
  }
  const ping = (c: Context) => c.text('Ok.\n')
  app.get('/ping', ping)
  app.get('/replicas_status', ping)
  app.on(['GET', 'POST'], '/', answer)
  return app
}

function toResponse({ defaultFormat, queryId }: HttpStatement, answer: HttpAnswer): Response {
  const { body, format = defaultFormat } = answer
  return new Response(Readable.toWeb(body) as ReadableStream, {
    headers: {
      'content-type': toContentType(format),
      'x-clickhouse-query-id': queryId,
      'x-clickhouse-format': format,
      'x-clickhouse-timezone': 'UTC',
      'x-clickhouse-summary': '{}',
    },
  })
}

function toContentType(format: string): string {
  if (/^JSON(Compact)?(Strings)?EachRow|NDJSON/i.test(format)) return 'application/x-ndjson; charset=UTF-8'
  if (/^JSON/i.test(format)) return 'application/json; charset=UTF-8'
  if (/^CSV/i.test(format)) return 'text/csv; charset=UTF-8; header=present'
  if (/^(TabSeparated|TSV)/i.test(format)) return 'text/tab-separated-values; charset=UTF-8'
  if (/^(Native|RowBinary|Arrow|Parquet|ORC)/i.test(format)) return 'application/octet-stream'
  return 'text/plain; charset=UTF-8'
}

/** Codes of errors by the status that ClickHouse answers. Default 500. */
const statuses: [ContentfulStatusCode, string][] = [
  [400, '6 27 36 41 43 53 62 70 72 117 456'],
  [403, '164 497'],
  [404, '46 47 50 60 73 81 115'],
  [408, '159'],
  [501, '48'],
  [503, '202'],
  [507, '243'],
]

function toProblem(error: unknown, statement: HttpStatement | undefined): Response {
  const { code, type, message } = toParts(error)
  const text = `Code: ${code}. DB::Exception: ${message} (${type})\n`
  return new Response(text, {
    status: statuses.find(([, codes]) => codes.split(' ').includes(code))?.[0] ?? 500,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-clickhouse-exception-code': code,
      ...(statement !== undefined && { 'x-clickhouse-query-id': statement.queryId }),
      ...(code === '202' && { 'retry-after': '1' }),
    },
  })
}

/** Errors of the engine and ours have these parts; other errors are not shown to strangers. */
function toParts(error: unknown): { code: string; type: string; message: string } {
  const { code, type, message } = error as { code?: unknown; type?: unknown; message?: unknown }
  if (typeof code === 'string' && /^\d+$/.test(code) && typeof message === 'string') {
    return { code, type: typeof type === 'string' ? type : 'UNKNOWN_EXCEPTION', message: message.trim() }
  }
  return {
    code: '1002',
    type: 'UNKNOWN_EXCEPTION',
    message: 'The statement could not be run; the log of the server says why',
  }
}
