/** Before every route: finds out who asks, compares with the policy, and lets the request run as that visitor. */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Access } from '../../services/access/access.ts'
import { remoteAddress, type Identify } from './identify.ts'
import { isAllowed, routePolicy, toRight, toRouteKey } from './route-policy.ts'
import { roles, type Role } from '../../services/config/values/roles.ts'
import { runAs, stranger, type Visitor } from '../../services/access/visitor.ts'

export type GuardOptions = {
  identify: Identify
  access: Access | undefined
  forbidden: (c: Context) => Response | Promise<Response>
  /** A page for a form whose session has ended. */
  signedOut: (c: Context) => Response | Promise<Response>
  /** For a failure to find out who asks: nobody is let in. */
  failed: (c: Context, error: unknown) => Response | Promise<Response>
}

export function createGuard({
  identify,
  access,
  forbidden,
  signedOut,
  failed,
}: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    const keys = findRoutes(c)
    const isOpen = keys.length > 0 && keys.every((key) => toRight(key) === 'everyone')
    let visitor: Visitor | null
    try {
      visitor = await identify(c)
    } catch (error) {
      if (!isOpen) return runAs(stranger, () => failed(c, error))
      visitor = null
    }
    const reader = visitor ?? stranger
    if (isOpen) return runAs(reader, next)
    if (visitor === null) {
      return isForm(c) ? runAs(stranger, () => signedOut(c)) : askToSignIn(c)
    }
    // An address that leads nowhere says so to everybody who has signed in.
    if (reader.role === null || !keys.every((key) => isAllowed(reader.role, toRight(key)))) {
      return runAs(reader, () => (isApi(c) ? refuseApi(c, 403, reader.role) : forbidden(c)))
    }
    await runAs(reader, next)
    protect(c)
    const action =
      keys.map((key) => routePolicy[key]?.audit).find(Boolean) ?? (isExport(c) ? 'export' : undefined)
    if (access !== undefined && action !== undefined && c.res.status < 400) {
      await access.audit(action, reader.login, toDetail(c), remoteAddress(c))
    }
  }
}

/** Handlers that run before routes and after them, and decide nothing. Any other pattern for all methods needs an entry, too. */
const catchAlls: readonly string[] = ['/*', '/api/*', '/api/sql/*']

/** Every route that may answer: the first can pass the request on. Empty: none but a catch-all. */
function findRoutes(c: Context): string[] {
  return matchedRoutes(c)
    .filter(({ method, path }) => method !== 'ALL' || !catchAlls.includes(path))
    .map(toRouteKey)
}

export function isApi(c: Context): boolean {
  return /^\/(api|mcp)(\/|$)/.test(c.req.path)
}

function isExport(c: Context): boolean {
  return /^attachment/i.test(c.res.headers.get('content-disposition') ?? '')
}

function toDetail(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return `${pathname}${search}`
}

/** A browser sent it, whose person would read an answer for programs. */
function isForm(c: Context): boolean {
  return c.req.method === 'POST' && !isApi(c) && (c.req.header('accept') ?? '').includes('text/html')
}

function askToSignIn(c: Context): Response {
  const isPage = !isApi(c) && (c.req.method === 'GET' || c.req.method === 'HEAD')
  if (!isPage) return refuseApi(c, 401)
  const back = toDetail(c)
  const query = back === '/' ? '' : `?${new URLSearchParams({ back }).toString()}`
  const response = c.redirect(`/sign-in${query}`, 303)
  response.headers.set('cache-control', 'no-store')
  return response
}

/** SQL tools have fields for a name and a password. */
const howTo =
  'sign in, or send a token (rollcall_...) as Authorization: Bearer, or as the password of an SQL tool'

/** As the API answers. */
function refuseApi(c: Context, status: 401 | 403, role?: Role | null): Response {
  const refused = role === null ? `you have none of the roles ${roles.join(', ')}` : 'is not for your role'
  const [code, parameter, message] =
    status === 401 ? ['UNAUTHENTICATED', 'authorization', howTo] : ['FORBIDDEN', 'path', refused]
  c.header('cache-control', 'no-store')
  if (status === 401) c.header('www-authenticate', 'Bearer')
  return c.json({ error: { code, problems: [{ parameter, message }] } }, status)
}

/** The answer to one reader is for nobody else: no shared cache, and no answer for another cookie or token. */
function protect(c: Context): void {
  c.res.headers.append('vary', 'Cookie')
  c.res.headers.append('vary', 'Authorization')
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'private, no-cache')
  c.res.headers.delete('etag')
}
