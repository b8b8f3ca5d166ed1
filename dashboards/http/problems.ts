/** Turns errors into pages. Details go to the log, not to the reader. */
import { lookUp, t, type Message } from '../../language/translate.ts'
import type { Context } from 'hono'
import { currentVisitor } from '../../services/access/visitor.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import { AudienceError } from '../../reporting/audience.ts'
import { roles } from '../../services/config/values/roles.ts'
import { isAddress } from '../../services/config/values/address.ts'
import { DataUnavailableError, toOwnError } from '../../reporting/errors.ts'
import { ProblemPage, type Problem } from '../components/plain-page.tsx'
import { toLocalPath } from './read-form.ts'
import { pageContext } from './page-request.ts'

export async function dataProblem(c: Context, routes: RouteContext, error: unknown): Promise<Response> {
  return show(
    c,
    routes,
    error instanceof AudienceError ? await notForReader(routes) : toProblem(c, routes, error),
  )
}

type FailedAnswer = Problem & { status: 401 | 403 | 404 | 500 | 503 }

function show(c: Context, routes: RouteContext, { status, ...problem }: FailedAnswer) {
  c.status(status)
  return c.html(ProblemPage({ context: pageContext(c, routes), ...problem }))
}

function toProblem(c: Context, routes: RouteContext, thrown: unknown): FailedAnswer {
  const retry = { href: samePage(c), name: t('Try again') }
  routes.onError(thrown)
  const error = toOwnError(thrown, c.req.path)
  if (!(error instanceof DataUnavailableError)) {
    return {
      status: 500,
      title: t('We could not load this page'),
      explanation: t('No data is lost. Try again. The reason is in the log of this process.'),
      retry,
    }
  }
  c.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))))
  return {
    status: 503,
    title: t('The numbers are not available right now'),
    explanation: t('The store does not answer yet. No data is lost. Try again in a moment.'),
    retry,
  }
}

const toHome = () => ({ href: '/', name: t('Go to Home') })

export async function forbidden(c: Context, routes: RouteContext): Promise<Response> {
  return show(c, routes, await notForReader(routes))
}

async function notForReader(routes: RouteContext): Promise<FailedAnswer> {
  const { role, login } = currentVisitor()
  const answer = { status: 403, title: t('You do not have access to this page'), retry: toHome() } as const
  if (role === null) {
    const explanation = `${t('You are signed in as {login}.', { login })} ${sayNoRole()} ${await askOwner(routes)}`
    return { ...answer, title: t('You have no role here'), explanation }
  }
  const says = t('You are signed in as {login}, with the role {role}.', { login, role: lookUp(role) })
  return { ...answer, explanation: `${says} ${await askOwner(routes)}` }
}

/** For people without a role. */
export function sayNoRole(): string {
  return t('You have none of the roles that there are: {roles}.', { roles: roles.map(lookUp).join(', ') })
}

const mostOwners = 3

/** Whom to ask: for people who have signed in, and nobody else, with the addresses of owners. */
async function askOwner({ entrance }: RouteContext): Promise<string> {
  const { via } = currentVisitor()
  const isPerson = via === 'session' || via === 'proxy'
  const owners = isPerson
    ? ((await entrance?.access.readOwners()) ?? []).filter(isAddress).slice(0, mostOwners)
    : []
  return owners.length === 0
    ? t('Ask an owner of this Rollcall for access.')
    : t('Ask an owner ({owners}) for access.', { owners: owners.join(', ') })
}

export function notFound(c: Context, routes: RouteContext): Response | Promise<Response> {
  return show(c, routes, {
    status: 404,
    title: t('There is no such page'),
    explanation: t('Check the address.'),
    retry: toHome(),
  })
}

/** For a form that was open when its session ended. */
export function signedOut(c: Context, routes: RouteContext): Response | Promise<Response> {
  const from = URL.parse(c.req.header('referer') ?? '')
  const back = from?.host === c.req.header('host') ? toLocalPath(`${from?.pathname}${from?.search}`) : '/'
  c.header('cache-control', 'no-store')
  return show(c, routes, {
    status: 401,
    title: t('Your session has ended'),
    explanation: t('Nothing was done. Sign in again, and send the form once more.'),
    retry: { href: `/sign-in?${new URLSearchParams({ back }).toString()}`, name: t('Sign in') },
  })
}

export type OwnKind = 'person' | 'assignment' | 'team' | 'challenge'

/** The same for an id of strangers and for one that nobody has, and true of both. */
const notAmongOwn: Record<OwnKind, Message> = {
  person: 'No one with this id is among your people.',
  assignment: 'No assignment with this id is one of your people’s.',
  team: 'No one from a team with this id is among your people.',
  challenge: 'None of your people has a challenge with this id.',
}

/** For readers who see some people only. `undefined`: this reader sees everybody. */
export function notAmongOwnPeople(c: Context, routes: RouteContext, kind: OwnKind) {
  if (currentVisitor().audience.people === 'all') return undefined
  return show(c, routes, {
    status: 404,
    title: t('Nothing to show'),
    explanation: lookUp(notAmongOwn[kind]),
    retry: toHome(),
  })
}

function samePage(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return c.req.method === 'GET' ? `${pathname}${search}` : '/'
}
