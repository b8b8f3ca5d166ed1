/**
 * Read-only SQL for analysts, as ClickHouse's HTTP interface. One statement at a time on one thread, so the dashboards and
 * the consumer keep the other.
 */
import type { RequestListener } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import { toListener } from '../runtime/http/listen.ts'
import { createTurns } from '../runtime/turns.ts'
import { createHttpFront } from './http-front/create-front.ts'
import { type Execute, type HttpAnswer, StatementError } from './http-front/http-front.ts'
import type { AnswerRequest } from './process/answer-file.ts'

/** Runs statements read-only and within limits: the SQL process. */
export type StatementEngine = {
  answer(request: AnswerRequest, signal: AbortSignal): Promise<HttpAnswer>
}

/** One statement at a time, in order of request, unless its client has left meanwhile. */
export function answerInTurn(answer: (request: AnswerRequest) => Promise<HttpAnswer>): StatementEngine {
  const inTurn = createTurns()
  return {
    answer: (request, signal) =>
      inTurn(() => {
        if (signal.aborted) throw new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', 'The client has left')
        return answer(request)
      }),
  }
}

export type SqlEndpointOptions = {
  engine: StatementEngine
  /** Whether the view `people`, with names and e-mails, may be read. */
  people: boolean
  onError?: (error: unknown) => void
}

/** How many statements may wait; others get 503. */
export const mostWaiting = 16

/** A statement of a person is short; its parameters may be long. */
export const maxBodyBytes = 1024 ** 2

/** Settings that a tool may send without effect: limits, although ours apply, and those of the JDBC driver about inserts. */
const withoutEffect = new Set(
  'async_insert max_execution_time max_result_rows max_result_bytes result_overflow_mode readonly'.split(' '),
)

export function openSqlEndpoint({ engine, people, onError = () => {} }: SqlEndpointOptions): Hono {
  let asked = 0

  const execute: Execute = async ({ settings, database, ...statement }, signal) => {
    const setting = Object.keys(settings).find((name) => !withoutEffect.has(name))
    if (setting !== undefined)
      throw new StatementError('READONLY', `Cannot modify '${setting}' setting in readonly mode`)
    if (!['rollcall', 'default', 'system', undefined].includes(database))
      throw new StatementError('UNKNOWN_DATABASE', `Database ${database} does not exist`)
    if (asked > mostWaiting) {
      const message = `${mostWaiting} statements are waiting already; try again later`
      throw new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', message)
    }
    asked += 1
    return engine.answer({ ...statement, people }, signal).finally(() => (asked -= 1))
  }

  const app = new Hono()
  app.use(ownOriginOnly)
  return app.route(
    '/',
    createHttpFront({
      execute,
      serverName: 'rollcall',
      maxBodyBytes,
      // Errors of a statement go to its sender only.
      onError: (error) => /^\d+$/.test(String((error as { code?: unknown }).code)) || onError(error),
    }),
  )
}

const signposts = {
  on_servers:
    'This Rollcall keeps its data on ClickHouse servers: point your tool at them, as a user with the role rollcall_analyst. docs/sql.md says how',
  switched_off: 'This is switched off here: SQL_ENDPOINT=on switches it on',
}

/** Where nothing is answered: says why, in the form that tools show. */
export function createSqlSignpost(reason: keyof typeof signposts): Hono {
  return new Hono().all('*', (c) => {
    c.header('x-clickhouse-exception-code', '48')
    return c.text(`Code: 48. DB::Exception: ${signposts[reason]}. (NOT_IMPLEMENTED)\n`, 501)
  })
}

/**
 * A page of another site could make a browser send statements. It would not see the answers, but it must not cost
 * anything either.
 */
const ownOriginOnly: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && (URL.parse(origin)?.host ?? 'none') !== c.req.header('host'))
  return isForeign ? c.text('Statements of another site are not run.\n', 403) : next()
}

/**
 * ClickHouse's HTTP interface at the root of a port of its own, for tools that have no field for a path. Every request is answered
 * as `/api/sql` of the dashboards: the same readers, rights and limits. No other path leads anywhere.
 */
export function createSqlRoot(dashboards: Hono): RequestListener {
  const answer = toListener(dashboards)
  return (request, response) => {
    const [, path, query = ''] = /^\/(|ping|replicas_status)(\?.*)?$/s.exec(request.url ?? '') ?? []
    if (path === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' })
      response.end('There is no such handle: SQL is answered at /\n')
      return
    }
    request.url = `/api/sql${path === '' ? '' : `/${path}`}${query}`
    answer(request, response)
  }
}
