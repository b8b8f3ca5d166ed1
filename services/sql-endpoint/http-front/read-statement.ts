/** Takes a request apart: the statement from `?query=`, the body or a form, everything else from the URL. */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readUpTo } from '../../runtime/http/read-body.ts'
import { StatementError, type HttpStatement } from './http-front.ts'

/** Parameters of the interface itself; they do not change the answer. */
const ofTheInterface = new Set(
  (
    'query database default_format query_id session_id session_timeout session_check quota_key user password role ' +
    'buffer_size wait_end_of_query client_protocol_version log_comment enable_http_compression http_zlib_compression_level ' +
    'send_progress_in_http_headers http_headers_progress_interval_ms cancel_http_readonly_queries_on_client_close'
  ).split(' '),
)

export async function readStatement(request: Request, maxBodyBytes: number): Promise<HttpStatement> {
  const address = new URL(request.url).searchParams
  const { sql, fields } = await readBody(request, maxBodyBytes)
  const parameters = [...address, ...fields]
  const queries = address.getAll('query')
  const params: [string, string][] = []
  const settings: [string, string][] = []
  for (const [name, value] of parameters) {
    if (name === 'compress' || name === 'decompress') {
      if (value !== '0')
        throw new StatementError('NOT_IMPLEMENTED', `${name}=1 is not supported; use Accept-Encoding`)
    } else if (name.startsWith('param_')) {
      params.push([name.slice('param_'.length), value])
    } else if (!ofTheInterface.has(name)) {
      settings.push([name, value])
    }
  }
  return {
    sql: [...queries, sql].filter((part) => part !== '').join('\n'),
    params: Object.fromEntries(params),
    settings: Object.fromEntries(settings),
    database: address.get('database') ?? request.headers.get('x-clickhouse-database') ?? undefined,
    defaultFormat:
      address.get('default_format') ?? request.headers.get('x-clickhouse-format') ?? 'TabSeparated',
    protocolVersion: Number(address.get('client_protocol_version') ?? 0) || 0,
    queryId: toQueryId(address.get('query_id')),
  }
}

/** It is echoed in a header, so some characters are refused. */
function toQueryId(id: string | null): string {
  return id !== null && /^[\w.:-]{1,100}$/.test(id) ? id : randomUUID()
}

async function readBody(
  request: Request,
  maxBodyBytes: number,
): Promise<{ sql: string; fields: [string, string][] }> {
  if (request.body === null) return { sql: '', fields: [] }
  const body = await readUpTo(request.body, maxBodyBytes, () => tooLarge(maxBodyBytes))
  const bytes = await decode(body, request.headers, maxBodyBytes)
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) return { sql: toText(bytes), fields: [] }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const fields: [string, string][] = []
  let sql = ''
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      throw new StatementError('NOT_IMPLEMENTED', 'External tables are not supported')
    if (name === 'query') sql = value
    else fields.push([name, value])
  }
  return { sql, fields }
}

const unpack: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(gunzip)

async function decode(
  bytes: Buffer<ArrayBuffer>,
  headers: Headers,
  maxOutputLength: number,
): Promise<Buffer<ArrayBuffer>> {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity') return bytes
  if (encoding !== 'gzip')
    throw new StatementError('NOT_IMPLEMENTED', `Content-Encoding ${encoding} is not supported; use gzip`)
  try {
    return (await unpack(bytes, { maxOutputLength })) as Buffer<ArrayBuffer>
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxOutputLength)
    throw new StatementError('BAD_ARGUMENTS', 'The body is not gzip', { cause })
  }
}

function tooLarge(maxBytes: number): StatementError {
  return new StatementError('BAD_ARGUMENTS', `The body is larger than ${maxBytes} bytes`)
}

function toText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new StatementError('NOT_IMPLEMENTED', 'Only statements and data in UTF-8 text are supported', {
      cause,
    })
  }
}
