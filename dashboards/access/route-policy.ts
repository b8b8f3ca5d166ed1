/**
 * Which right each route needs, in one table. A route without an entry is the owner's: a new page is safe until somebody
 * decides. A test walks the router's own list and names the routes that nobody has decided about.
 */
import type { Role } from '../../services/config/values/roles.ts'
import type { AuditAction } from '../../services/access/access-store.ts'

/** `everyone`: also without signing in. */
export type Right = 'everyone' | readonly Role[]

type Entry = { right: Right; audit?: AuditAction }

const owner: Right = ['owner']
/** SQL reads everybody's rows. */
const analysts: Right = ['owner', 'analyst']
/** Everybody with a role. Rows are narrowed to the people that a manager may see. */
const anyRole: Right = ['owner', 'analyst', 'manager']
/** People write to the people whom they lead. */
const leaders: Right = ['owner', 'manager']

/** A page of `blocks/page.ts` with the files of its blocks. */
const page = (path: string, right: Right): Record<string, Entry> => ({
  [`GET ${path}`]: { right },
  [`GET ${path}/:file{[a-z-]+\\.(csv|xlsx)}`]: { right },
})

/** A list of things that have pages of their own, with its file. */
const list = (path: string, right: Right): Record<string, Entry> => ({
  [`GET ${path}`]: { right },
  [`GET /:file{${path.slice(1)}\\.(csv|xlsx)}`]: { right },
})

/** Method and pattern, as the router has them; HEAD is decided as GET. */
export const routePolicy: Readonly<Record<string, Entry>> = {
  'GET /health/live': { right: 'everyone' },
  'GET /health/ready': { right: 'everyone' },
  'GET /assets/:file': { right: 'everyone' },
  'GET /sign-in': { right: 'everyone' },
  'POST /sign-in': { right: 'everyone' },
  'GET /sign-in/start': { right: 'everyone' },
  'GET /sign-in/callback': { right: 'everyone' },
  'GET /sign-in/forgot': { right: 'everyone' },
  'POST /sign-in/forgot': { right: 'everyone' },
  'GET /sign-in/password/:token': { right: 'everyone' },
  'POST /sign-in/password/:token': { right: 'everyone' },
  'POST /sign-out': { right: 'everyone' },
  'POST /theme': { right: 'everyone' },
  'POST /language': { right: 'everyone' },

  'GET /': { right: anyRole },
  'GET /overview/:file{[a-z-]+\\.(csv|xlsx)}': { right: anyRole },
  'GET /assignments': { right: anyRole },
  'GET /search': { right: anyRole },
  ...page('/overdue', anyRole),
  'GET /remind': { right: leaders },
  'POST /remind': { right: leaders, audit: 'remind' },
  'GET /notes': { right: leaders },
  'POST /notes': { right: leaders },
  ...page('/grading', anyRole),
  'GET /guides': { right: anyRole },
  'GET /guides/:file{[a-z-]+\\.(csv|xlsx)}': { right: anyRole },
  ...list('/challenges', anyRole),
  ...page('/challenges/:id', anyRole),
  ...list('/teams', anyRole),
  ...page('/teams/:id', anyRole),
  ...list('/managers', anyRole),
  ...page('/managers/:id', anyRole),
  ...page('/changes', anyRole),
  ...list('/learners', anyRole),
  'GET /learners/:id': { right: anyRole },
  ...page('/assignments/:id', anyRole),
  'GET /news': { right: anyRole },
  'GET /data': { right: analysts },
  'POST /data': { right: analysts },
  'GET /help': { right: anyRole },
  'GET /health': { right: owner },
  'GET /health/failed/:id': { right: owner },
  'GET /health/replay': { right: owner },
  'POST /health/replay': { right: owner, audit: 'replay' },
  'GET /setup': { right: owner },
  'POST /setup/targets': { right: owner },
  'POST /setup/registration': { right: owner },
  'POST /setup/fetch': { right: owner },
  'POST /setup/test-event': { right: owner },
  'GET /assign': { right: owner },
  'GET /assign/orders/:id': { right: owner },
  'POST /assign/orders': { right: owner, audit: 'guide_order' },
  'POST /assign/orders/:id/again': { right: owner, audit: 'guide_order' },
  'GET /digest': { right: anyRole },
  'POST /digest': { right: anyRole },
  'POST /digest/test': { right: anyRole },
  'GET /digest/preview': { right: anyRole },
  // The link in a mail says whose it is, and can do nothing else.
  'GET /digest/unsubscribe': { right: 'everyone' },
  'POST /digest/unsubscribe': { right: 'everyone' },
  'GET /access': { right: owner },
  'POST /access/people': { right: owner },
  'POST /access/tokens': { right: owner },
  'GET /password': { right: anyRole },
  'POST /password': { right: anyRole },
  'GET /views': { right: anyRole },
  'POST /views': { right: anyRole },

  'GET /api/openapi.json': { right: anyRole },
  'GET /api/metrics': { right: anyRole },
  'GET /api/metrics/explain': { right: anyRole },
  'GET /api/assignments': { right: anyRole },
  'GET /api/assignments/:id': { right: anyRole },
  'GET /api/changes': { right: anyRole },
  'GET /api/guides': { right: anyRole },
  'GET /api/failed-events': { right: owner },
  'GET /api/failed-events/:id': { right: owner },
  'POST /api/failed-events/replay': { right: owner, audit: 'replay' },
  'GET /api/receipts/:id': { right: owner },
  // Each tool asks the API as the one who asks.
  'POST /mcp': { right: anyRole },
  'GET /mcp': { right: anyRole },
  'DELETE /mcp': { right: anyRole },
  'GET /api/sql': { right: analysts },
  'POST /api/sql': { right: analysts },
  'GET /api/sql/ping': { right: analysts },
  'GET /api/sql/replicas_status': { right: analysts },
}

export function toRouteKey({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`
}

export function toRight(routeKey: string): Right {
  return routePolicy[routeKey]?.right ?? owner
}

export function isAllowed(role: Role | null, right: Right): boolean {
  return right === 'everyone' || (role !== null && right.includes(role))
}

/** Whether readers of a role may open a page. */
export function mayOpen(role: Role | null, path: string): boolean {
  return isAllowed(role, toRight(`GET ${path}`))
}
