/** Turns errors into pages. Details go to the log, not to the reader. */
import { lookUp, t } from '../../language/translate.ts'
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
      title: busy ? t('The numbers are not available right now') : t('These numbers could not be computed'),
      explanation: busy
        ? t(
            'The store does not answer yet. Events go on being received and kept, so nothing is lost; try again in a moment.',
          )
        : t(
            'Something went wrong on our side. Events go on being received and kept, so nothing is lost. The reason is in the log of this process.',
          ),
      retry: { href: samePage(c), name: t('Try again') },
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
      title: role === null ? t('You have no role here yet') : t('This is not for your role'),
      explanation:
        role === null
          ? t('You are signed in as {login}, and nobody has given you a role. An owner of this Rollcall can do so.', {
              login,
            })
          : error === undefined || error.code === 'statement'
            ? t('You are signed in as {login}, with the role {role}. An owner of this Rollcall can change it.', {
                login,
                role,
              })
            : t('{error}. Your role is {role}.', { error: lookUp(error.message), role }),
      retry: { href: '/', name: t('To the Overview') },
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
      title: t('There is no such page'),
      explanation: t('The address may be mistyped, or the page may not exist yet.'),
      retry: { href: '/', name: t('To the Overview') },
    }),
  )
}

function samePage(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' ? `${pathname}${search}` : '/'
}
