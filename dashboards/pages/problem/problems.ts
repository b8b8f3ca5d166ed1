/** Turns errors into pages. Details go to the log, not to the reader. */
import type { Context } from 'hono'
import { currentVisitor } from '../../access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { AudienceError } from '../../../reporting/audience/audience.ts'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import { ProblemPage } from './problem-page.tsx'
import { pageContext } from '../page-request.ts'

export function dataProblem(c: Context, routes: RouteContext, error: unknown): Response | Promise<Response> {
  if (error instanceof AudienceError) return forbidden(c, routes, error)
  routes.onError?.(error)
  const busy = error instanceof DataUnavailableError
  if (busy) c.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))))
  c.status(busy ? 503 : 500)
  return c.html(
    ProblemPage({
      context: pageContext(c, routes, { now: routes.clock() }),
      title: busy ? 'The numbers are not available right now' : 'These numbers could not be computed',
      explanation: busy
        ? 'The store does not answer yet. Events go on being received and kept, so nothing is lost; try again in a moment.'
        : 'Something went wrong on our side. Events go on being received and kept, so nothing is lost. The reason is in the log of this process.',
      retry: { href: samePage(c), name: 'Try again' },
    }),
  )
}

/** `error`: what of the question is not for this reader. Default: the page itself. */
export function forbidden(c: Context, routes: RouteContext, error?: AudienceError): Response | Promise<Response> {
  c.status(403)
  const { role, login } = currentVisitor()
  return c.html(
    ProblemPage({
      context: pageContext(c, routes, { now: routes.clock() }),
      title: role === null ? 'You have no role here yet' : 'This is not for your role',
      explanation:
        role === null
          ? `You are signed in as ${login}, and nobody has given you a role. An owner of this Rollcall can do so.`
          : error === undefined || error.code === 'statement'
            ? `You are signed in as ${login}, with the role ${role}. An owner of this Rollcall can change it.`
            : `${error.message}. Your role is ${role}.`,
      retry: { href: '/', name: 'To the Overview' },
    }),
  )
}

export function unexpected(c: Context, routes: RouteContext, error: unknown): Response | Promise<Response> {
  return dataProblem(c, routes, error)
}

export function notFound(c: Context, routes: RouteContext): Response | Promise<Response> {
  c.status(404)
  return c.html(
    ProblemPage({
      context: pageContext(c, routes, { now: routes.clock() }),
      title: 'There is no such page',
      explanation: 'The address may be mistyped, or the page may not exist yet.',
      retry: { href: '/', name: 'To the Overview' },
    }),
  )
}

function samePage(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' ? `${pathname}${search}` : '/'
}
