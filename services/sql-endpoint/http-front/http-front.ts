/**
 * ClickHouse's HTTP interface in front of something that runs statements: enough for @clickhouse/client,
 * clickhouse-connect and Grafana. The runner decides what is allowed.
 */
import type { Readable } from 'node:stream'

/** One request, taken apart. Nothing is checked yet. */
export type HttpStatement = {
  /** With the data that follows an INSERT, if any. */
  sql: string
  /** Values of `{name:Type}`, as received: text in ClickHouse's escaped form. */
  params: Record<string, string>
  /** The requested current database. */
  database: string | undefined
  /** Format of the answer where the statement names none. */
  defaultFormat: string
  /** Settings given beside the statement. */
  settings: Record<string, string>
  queryId: string
  /** 0: none was named. Decides the form of Native blocks. */
  protocolVersion: number
}

export type HttpAnswer = {
  body: Readable
  /** Format of the body; `undefined`: the requested default. */
  format: string | undefined
}

/** `signal`: aborted when the client has left. */
export type Execute = (statement: HttpStatement, signal: AbortSignal) => Promise<HttpAnswer>

/** A statement that is refused before the engine sees it. The engine's own errors have `code` and `type` likewise. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly code: string
  readonly type: StatementErrorType
  constructor(type: StatementErrorType, message: string, options?: ErrorOptions) {
    super(message, options)
    this.type = type
    this.code = codes[type]
  }
}

/** As in ClickHouse, so that tools show the right message. */
const codes = {
  BAD_ARGUMENTS: '36',
  NOT_IMPLEMENTED: '48',
  SYNTAX_ERROR: '62',
  UNKNOWN_FORMAT: '73',
  UNKNOWN_DATABASE: '81',
  UNKNOWN_SETTING: '115',
  TIMEOUT_EXCEEDED: '159',
  READONLY: '164',
  TOO_MANY_SIMULTANEOUS_QUERIES: '202',
  NOT_ENOUGH_SPACE: '243',
  TOO_MANY_ROWS_OR_BYTES: '396',
  UNKNOWN_QUERY_PARAMETER: '456',
  ACCESS_DENIED: '497',
} as const

type StatementErrorType = keyof typeof codes
