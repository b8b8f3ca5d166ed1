/** The front as a Hono app: `createHttpFront(...)` answers at `/` and `/ping` of its mount point. */
import type { ServerResponse } from 'node:http'
import { finished, pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { Hono, type Context } from 'hono'
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
  app.use(async (c, next) => {
    await next()
    c.header('x-clickhouse-server-display-name', serverName)
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })

  const answer = async (c: Context) => {
    let statement: HttpStatement | undefined
    try {
      statement = await readStatement(c.req.raw, maxBodyBytes)
      // Requests of browsers and health checks, without a statement.
      if (statement.sql.trim() === '') return c.text('Ok.\n')
      return toResponse(c, statement, await execute(statement, c.req.raw.signal))
    } catch (error) {
      if (!isGone(c)) onError?.(error)
      return toProblem(error, statement)
    }
  }
  const ping = (c: Context) => c.text('Ok.\n')
  app.get('/ping', ping)
  app.get('/replicas_status', ping)
  app.on(['GET', 'POST'], '/', answer)
  return app
}

/** The connection broke before the statement was there. */
function isGone(c: Context): boolean {
  const { incoming } = toBindings(c)
  return incoming?.destroyed === true && incoming.complete === false
}

/** Empty where a page asks from within. */
function toBindings(c: Context): {
  incoming?: { destroyed?: boolean; complete?: boolean }
  outgoing?: ServerResponse
} {
  return (c.env ?? {}) as ReturnType<typeof toBindings>
}

function toResponse(c: Context, statement: HttpStatement, { body, format, summary }: HttpAnswer): Response {
  const formatName = format ?? statement.defaultFormat
  const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  const stream = isPacked ? pipeline(body, createGzip({ level: 3 }), () => {}) : body
  return new Response(toWeb(stream, toBindings(c).outgoing), {
    headers: {
      'content-type': toContentType(formatName),
      'x-clickhouse-query-id': statement.queryId,
      'x-clickhouse-format': formatName,
      'x-clickhouse-timezone': 'UTC',
      'x-clickhouse-summary': JSON.stringify(summary ?? {}),
      ...(isPacked && { 'content-encoding': 'gzip' }),
    },
  })
}

type Bytes = Uint8Array<ArrayBuffer>

/** A stream that fails breaks the connection: the status has been sent. An error would also be printed by the server. */
function toWeb(stream: Readable, outgoing: ServerResponse | undefined): ReadableStream<Bytes> {
  if (outgoing === undefined) return Readable.toWeb(stream) as ReadableStream<Bytes>
  finished(stream, (error) => error && outgoing.destroy())
  const chunks = (stream as AsyncIterable<Bytes>)[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next().catch(() => undefined)
      if (next?.done === true) controller.close()
      else if (next !== undefined) controller.enqueue(next.value)
    },
    cancel: () => void stream.destroy(),
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

/** Status codes as in ClickHouse: by the code of the error. */
const statuses: Record<string, ContentfulStatusCode> = {
  ...Object.fromEntries(
    ['36', '6', '27', '41', '43', '53', '62', '70', '72', '117', '456'].map((code) => [code, 400]),
  ),
  ...Object.fromEntries(['46', '47', '50', '60', '73', '81', '115'].map((code) => [code, 404])),
  48: 501,
  159: 408,
  164: 403,
  202: 503,
  243: 507,
  497: 403,
}

function toProblem(error: unknown, statement: HttpStatement | undefined): Response {
  const { code, type, message } = toParts(error)
  const text = `Code: ${code}. DB::Exception: ${message} (${type})\n`
  return new Response(text, {
    status: statuses[code] ?? 500,
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
