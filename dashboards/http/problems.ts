/** Turns errors into pages. Details go to the log, not to the reader. */
import { lookUp, t } from '../../language/translate.ts'
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
  if (error instanceof AudienceError) return forbidden(c, routes)
  routes.onError(error)
  const own = toOwnError(error, c.req.path)
  const isBusy = own instanceof DataUnavailableError
  const { pathname, search } = new URL(c.req.url)
  if (isBusy) c.header('retry-after', String(Math.max(1, Math.ceil(own.retryAfterMs / 1000))))
  return show(c, routes, {
    status: isBusy ? 503 : 500,
    title: isBusy ? t('The numbers are not available right now') : t('We could not load this page'),
    explanation: isBusy
      ? t('The store does not answer yet. No data is lost. Try again in a moment.')
      : t('No data is lost. Try again. The reason is in the log of this process.'),
    retry: { href: c.req.method === 'GET' ? `${pathname}${search}` : '/', name: t('Try again') },
  })
}

type FailedAnswer = Omit<Problem, 'retry'> & {
  status: 401 | 403 | 404 | 500 | 503
  retry?: Problem['retry']
}

function show(c: Context, routes: RouteContext, { status, ...problem }: FailedAnswer) {
  c.status(status)
  const retry = { href: '/', name: t('Go to Home') }
  return c.html(ProblemPage({ context: pageContext(c, routes), retry, ...problem }))
}

export async function forbidden(c: Context, routes: RouteContext): Promise<Response> {
  const { role, login } = currentVisitor()
  const says =
    role === null
      ? `${t('You are signed in as {login}.', { login })} ${sayNoRole()}`
      : t('You are signed in as {login}, with the role {role}.', { login, role: lookUp(role) })
  return show(c, routes, {
    status: 403,
    title: role === null ? t('You have no role here') : t('You do not have access to this page'),
    explanation: `${says} ${await askOwner(routes)}`,
  })
}

export function sayNoRole(): string {
  return t('You have none of the roles that there are: {roles}.', { roles: roles.map(lookUp).join(', ') })
}

const mostOwners = 3

/** Whom to ask: for people who have signed in, and nobody else, with the addresses of owners. */
async function askOwner({ entrance }: RouteContext): Promise<string> {
  const isPerson = ['session', 'proxy'].includes(currentVisitor().via)
  const all = (isPerson && (await entrance?.access.readOwners())) || []
  const owners = all.filter(isAddress).slice(0, mostOwners)
  return owners.length === 0
    ? t('Ask an owner of this Rollcall for access.')
    : t('Ask an owner ({owners}) for access.', { owners: owners.join(', ') })
}

export function notFound(c: Context, routes: RouteContext): Response | Promise<Response> {
  return show(c, routes, {
    status: 404,
    title: t('There is no such page'),
    explanation: t('Check the address.'),
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

/** The same for an id of strangers and for one that nobody has, and true of both. */
const notAmongOwn = {
  person: 'No one with this id is among your people.',
  assignment: 'No assignment with this id is one of your people’s.',
  team: 'No one from a team with this id is among your people.',
  challenge: 'None of your people has a challenge with this id.',
} as const

/** For readers who see some people only. `undefined`: this reader sees everybody. */
export function notAmongOwnPeople(c: Context, routes: RouteContext, kind: keyof typeof notAmongOwn) {
  if (currentVisitor().audience.people === 'all') return undefined
  return show(c, routes, {
    status: 404,
    title: t('Nothing to show'),
    explanation: t(notAmongOwn[kind]),
  })
}
