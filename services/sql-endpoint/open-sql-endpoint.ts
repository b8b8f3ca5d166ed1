/**
 * Read-only SQL for analysts, as ClickHouse's HTTP interface. One statement at a time on one thread, so the dashboards and
 * the consumer keep the other.
 */
import type { RequestListener } from 'node:http'
import type { ReadStream } from 'node:fs'
import { finished } from 'node:stream'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { hold } from '../runtime/hold.ts'
import { toListener } from '../runtime/http/listen.ts'
import { checkFormat, checkStatement, readSyntaxRules, type StatementClient } from './check-statement.ts'
import { createHttpFront } from './http-front/create-front.ts'
import { type HttpAnswer, type HttpStatement, StatementError } from './http-front/http-front.ts'
import type { AnswerRequest } from './process/answer-file.ts'
import { own } from '../../schemas/own.ts'

/** Runs statements read-only and within limits: the SQL process. */
export type StatementEngine = {
  /** One statement with its checks: they see the same store, and share its time. One at a time; the caller takes care of that. */
  run<Result>(use: (client: EngineClient) => Promise<Result>): Promise<Result>
}

/** `exec` is for the checks. */
export type EngineClient = StatementClient & { answer(request: AnswerRequest): Promise<ReadStream> }

export type SqlEndpointOptions = {
  engine: StatementEngine
  /** Whether the view `people`, with names and e-mails, may be read. */
  people: boolean
  /** How many statements of one asker may wait; more are told to come again. Default 8. */
  maxWaiting?: number
  /** Takes turns; shared by endpoints over one client. Default: its own. */
  turns?: Turns
  /** Who asks. Default: the connection. */
  toAsker?: (c: Context) => unknown
  /** Time that a reader has beside a second for each MiB. Default 10 s: others wait for their turn. */
  readerGraceMs?: number
  onError?: (error: unknown) => void
}

/** A statement of a person is short; its parameters may be long. */
export const maxBodyBytes = 1024 ** 2

/** Settings that a tool may send without effect: limits, although ours apply, and those of the JDBC driver about inserts. */
const withoutEffect = new Set([
  'async_insert',
  'max_execution_time',
  'max_result_rows',
  'max_result_bytes',
  'result_overflow_mode',
  'readonly',
])

export function openSqlEndpoint(options: SqlEndpointOptions): Hono {
  const { engine, people, maxWaiting = 8, readerGraceMs = 10_000, onError, toAsker } = options
  const takeTurn = options.turns ?? createTurns({ mostEach: maxWaiting, mostAll: 8 * maxWaiting })
  // The catalogue is read with the first statement: an engine that nobody asks is not started.
  const rules = hold(() => engine.run((client) => readSyntaxRules(client, { people })), Date.now, Infinity)

  async function run(statement: HttpStatement): Promise<HttpAnswer> {
    const { settings, database, defaultFormat, protocolVersion } = statement
    for (const name of Object.keys(settings)) {
      if (!withoutEffect.has(name))
        throw new StatementError('READONLY', `Cannot modify '${name}' setting in readonly mode`)
    }
    if (!['rollcall', 'default', 'system', undefined].includes(database)) {
      throw new StatementError('UNKNOWN_DATABASE', `Database ${database} does not exist`)
    }
    const allowed = await rules.read()
    return engine.run(async (client) => {
      const { sql, format = defaultFormat } = await checkStatement(client, allowed, statement)
      checkFormat(format)
      const body = await client.answer({ sql, format, protocolVersion })
      limitReader(body, readerGraceMs)
      return { body, format }
    })
  }

  /** The turn ends when the answer has been read. */
  async function runInTurn(
    statement: HttpStatement,
    asker: unknown,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const release = await takeTurn(asker, signal)
    try {
      const answer = await run(statement)
      finished(answer.body, release)
      return answer
    } catch (error) {
      release()
      throw error
    }
  }

  const app = new Hono()
  app.use(ownOriginOnly)
  return app.route(
    '/',
    createHttpFront({
      execute: runInTurn,
      serverName: 'rollcall',
      maxBodyBytes,
      ...(toAsker !== undefined && { toAsker }),
      ...(onError !== undefined && { onError: (error) => isUnexpected(error) && onError(error) }),
    }),
  )
}

const readerBytesPerMs = 1024 ** 2 / 1_000

function limitReader(body: ReadStream, graceMs: number): void {
  const begun = performance.now()
  const looks = setInterval(
    () => {
      if (performance.now() - begun < graceMs + body.bytesRead / readerBytesPerMs) return
      body.destroy(new Error('The answer was not read in time'))
    },
    Math.min(graceMs, 1_000),
  )
  looks.unref()
  finished(body, () => clearInterval(looks))
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

/** Errors of a statement go to its sender only. */
function isUnexpected(error: unknown): boolean {
  return !(error instanceof Error && 'code' in error && /^\d+$/.test(String(error.code)))
}

// ClickHouse's HTTP interface at the root of a port of its own, for tools that have no field for a path. Every request is
// answered as `/api/sql` of the dashboards: the same readers, rights and limits. No other path leads anywhere.

const paths: Readonly<Record<string, string>> = {
  '/': '/api/sql',
  '/ping': '/api/sql/ping',
  '/replicas_status': '/api/sql/replicas_status',
}

export function createSqlRoot(dashboards: Hono): RequestListener {
  const answer = toListener(dashboards)
  return (request, response) => {
    const [path = '', ...query] = (request.url ?? '').split('?')
    const inside = own(paths, path)
    if (inside === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' })
      response.end('There is no such handle: SQL is answered at /\n')
      return
    }
    request.url = [inside, ...query].join('?')
    answer(request, response)
  }
}

// Statements run one at a time. Those who ask take turns, so a long queue of one person delays nobody else's first statement.

/** Resolves with what ends the turn. One that waits leaves the line when its signal is aborted. */
export type Turns = (asker: unknown, signal?: AbortSignal) => Promise<() => void>

export function createTurns({ mostEach, mostAll }: { mostEach: number; mostAll: number }): Turns {
  /** In the order of whose turn is next. No queue is empty. */
  const queues = new Map<unknown, (() => void)[]>()
  let isTaken = false

  function giveNext(): void {
    const [asker, [begin, ...others] = []] = queues.entries().next().value ?? []
    isTaken = begin !== undefined
    queues.delete(asker)
    // To the end of the line.
    if (others.length > 0) queues.set(asker, others)
    begin?.()
  }

  return (asker, signal) => {
    const toGone = () => new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', 'The one who asked has gone')
    if (signal?.aborted === true) return Promise.reject(toGone())
    const mine = queues.get(asker)?.length ?? 0
    const all = [...queues.values()].reduce((sum, each) => sum + each.length, 0)
    if (mine >= mostEach || all >= mostAll) {
      const which = mine >= mostEach ? `${mostEach} statements of yours are` : `${mostAll} statements are`
      return Promise.reject(
        new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', `${which} waiting already; come again`),
      )
    }
    return new Promise((resolve, reject) => {
      const begin = () => resolve(giveNext)
      queues.set(asker, [...(queues.get(asker) ?? []), begin])
      signal?.addEventListener('abort', () => {
        const rest = (queues.get(asker) ?? []).filter((other) => other !== begin)
        if (rest.length > 0) queues.set(asker, rest)
        else queues.delete(asker)
        reject(toGone())
      })
      if (!isTaken) giveNext()
    })
  }
}
