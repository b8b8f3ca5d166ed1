/**
 * Read-only SQL for analysts, as ClickHouse's HTTP interface. One statement at a time on one thread, so the dashboards and
 * the consumer keep the other.
 */
import type { RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { hold } from '../runtime/hold.ts'
import { toListener } from '../runtime/http/listen.ts'
import { checkFormat, checkStatement, readSyntaxRules, type StatementClient } from './check-statement.ts'
import { createHttpFront } from './http-front/create-front.ts'
import { type HttpAnswer, type HttpStatement, StatementError } from './http-front/http-front.ts'

/** Runs statements read-only and within limits: the SQL process, or `openAnalyst` of an engine in this process. */
export type StatementEngine = {
  /** One statement with its checks: they see the same store, and share its time. One at a time; the caller takes care of that. */
  run<Result>(use: (client: StatementClient) => Promise<Result>): Promise<Result>
}

export type SqlEndpointOptions = {
  engine: StatementEngine
  /** Whether the view `people`, with names and e-mails, may be read. */
  people: boolean
  /** How many statements of one asker may wait; more are told to come again. Default 8. */
  maxWaiting?: number
  /** Takes turns; shared by endpoints over one client. Default: its own. */
  turns?: Queue
  /** Who asks. Default: the connection. */
  toAsker?: (c: Context) => unknown
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
  const { engine, people, maxWaiting = 8, onError, toAsker } = options
  const takeTurn = options.turns ?? createQueue({ mostEach: maxWaiting, mostAll: 8 * maxWaiting })
  // The catalogue is read with the first statement: an engine that nobody asks is not started.
  const rules = hold(() => engine.run((client) => readSyntaxRules(client, { people })), Date.now, Infinity)

  async function run(statement: HttpStatement): Promise<HttpAnswer> {
    const { settings, database, defaultFormat } = statement
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
      const { stream } = await client.exec({ query: `${sql}\nFORMAT ${format}` })
      return { body: await buffer(stream), format }
    })
  }

  const app = new Hono()
  app.use(ownOriginOnly)
  return app.route(
    '/',
    createHttpFront({
      execute: (statement, asker, signal) => takeTurn(asker, () => run(statement), signal),
      serverName: 'rollcall',
      maxBodyBytes,
      ...(toAsker !== undefined && { toAsker }),
      ...(onError !== undefined && { onError: (error) => isUnexpected(error) && onError(error) }),
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
    const inside = Object.hasOwn(paths, path) ? paths[path] : undefined
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

/** Aborted by its signal, a statement that waits leaves the line; one that runs goes on. */
type Queue = <Result>(asker: unknown, run: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>

export function createQueue({ mostEach, mostAll }: { mostEach: number; mostAll: number }): Queue {
  /** In the order of whose turn is next. */
  const queues = new Map<unknown, { run: () => Promise<void> }[]>()
  let isRunning = false

  async function runAll(): Promise<void> {
    isRunning = true
    for (let next = queues.entries().next().value; next !== undefined; next = queues.entries().next().value) {
      const [asker, queue] = next
      const first = queue.shift()
      // To the end of the line.
      queues.delete(asker)
      if (queue.length > 0) queues.set(asker, queue)
      await first?.run()
    }
    isRunning = false
  }

  return (asker, run, signal) => {
    const isGone = () => new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', 'The one who asked has gone')
    if (signal?.aborted === true) return Promise.reject(isGone())
    const queue = queues.get(asker) ?? []
    const all = [...queues.values()].reduce((sum, each) => sum + each.length, 0)
    if (queue.length >= mostEach || all >= mostAll) {
      const which = queue.length >= mostEach ? `${mostEach} statements of yours are` : `${mostAll} statements are`
      return Promise.reject(new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', `${which} waiting already; come again`))
    }
    return new Promise((resolve, reject) => {
      const entry = { run: () => run().then(resolve, reject) }
      queue.push(entry)
      signal?.addEventListener('abort', () => {
        const at = queue.indexOf(entry)
        if (at === -1) return
        queue.splice(at, 1)
        reject(isGone())
      })
      queues.set(asker, queue)
      if (!isRunning) void runAll()
    })
  }
}
