/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, so that assistants can ask for numbers. Without sessions: each
 * request is answered by a server of its own, so any dashboards process can answer it, and nothing is kept between two.
 */
import type { Context, Hono } from 'hono'
import { parseJson } from '../../schemas/json.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import { toInsideEnv } from '../access/identify.ts'
import type { DashboardsDeps } from '../dashboards-deps.ts'
import { toInsideRequest, type Ask } from '../http/ask-inside.ts'
import { limitBody } from '../http/read-form.ts'
import { runSql } from '../pages/data/run-sql.ts'
import type { Asker } from './tools.ts'

const maxBodyBytes = 64 * 1024

export function mountMcp(app: Hono, deps: DashboardsDeps, ask: Ask): void {
  app.post(
    '/mcp',
    limitBody(maxBodyBytes, () => fail(413, -32600, 'The request is too large')),
    async (c) => {
      let message: unknown
      try {
        message = parseJson(await c.req.text())
      } catch {
        return fail(400, -32700, 'The body is not JSON')
      }
      // One call each: a batch could hold hundreds.
      if (Array.isArray(message)) return fail(400, -32600, 'Send one message at a time')
      // Loaded with the first request: most processes are never asked.
      const { answerMcp } = await import('./answer-mcp.ts')
      return answerMcp(c.req.raw, message, toAsker(c, deps, ask))
    },
  )
  app.on(['GET', 'DELETE'], '/mcp', () =>
    fail(405, -32000, 'There are no sessions and no events here; use POST'),
  )
}

/** Where nobody signs in, no right says that names may leave. */
function toAsker(c: Context, deps: DashboardsDeps, ask: Ask): Asker {
  const { settings, entrance, arrival, clock } = deps
  const reader = currentVisitor()
  const isWithheld = reader.via === 'nobody' && settings.bodies !== 'granted'
  const visitor = isWithheld ? { ...reader, audience: { ...reader.audience, names: false } } : reader
  let standing: ReturnType<Asker['standing']> | undefined
  const askAs: Ask = (request, env) => ask(request, toInsideEnv(env, visitor))
  return {
    visitor,
    standing: () => (standing ??= arrival.standing()),
    fetch: async (path) => askAs(toInsideRequest(c, path, {}), c.env),
    sql: (statement) => runSql(c, askAs, statement),
    now: new Date(clock()).toISOString(),
    origin: entrance?.url ?? new URL(c.req.url).origin,
  }
}

function fail(status: 400 | 405 | 413, code: number, message: string): Response {
  const headers = { 'cache-control': 'no-store', ...(status === 405 && { allow: 'POST' }) }
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}
