/**
 * Which right each route needs, in one table; that of a page stands in `navigation.ts`. A route without an entry is the owner's: a new page is safe until somebody
 * decides. A test walks the router's own list and names the routes that nobody has decided about.
 */
import {
  analysts,
  anyRole,
  hasScope,
  leaders,
  owner,
  pages,
  type PageEntry,
  type Right,
} from '../navigation.ts'
import type { Role } from '../../services/config/values/roles.ts'
import type { AuditAction } from '../../services/access/access-store.ts'

type Entry = { right: Right; audit?: AuditAction }

/** The address of the files of a page. Those of Home have a folder, too. */
export const filePathOf = (path: string, isList: boolean) =>
  isList
    ? `/:file{${path.slice(1)}\\.(csv|xlsx)}`
    : `${path === '/' ? '/overview' : path}/:file{[a-z-]+\\.(csv|xlsx)}`

function toEntries(page: PageEntry): [string, Entry][] {
  const { path, right, files = hasScope(page) ? 'blocks' : 'none' } = page
  const paths = files === 'none' ? [path] : [path, filePathOf(path, files === 'list')]
  return paths.map((each) => [`GET ${each}`, { right }])
}

/** Pages of one thing. */
const objects = ['/challenges/:id', '/teams/:id', '/managers/:id', '/assignments/:id']

/** Method and pattern, as the router has them; HEAD is decided as GET. */
export const routePolicy: Readonly<Record<string, Entry>> = {
  ...Object.fromEntries(pages.flatMap(toEntries)),
  ...Object.fromEntries(
    objects.flatMap((path) => [
      [`GET ${path}`, { right: anyRole }],
      [`GET ${filePathOf(path, false)}`, { right: anyRole }],
    ]),
  ),
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

  'GET /search': { right: anyRole },
  'GET /remind': { right: leaders },
  'POST /remind': { right: leaders, audit: 'remind' },
  'POST /notes': { right: leaders },
  'GET /learners/:id': { right: anyRole },
  'GET /news': { right: anyRole },
  'POST /data': { right: analysts },
  'GET /health/failed/:id': { right: owner },
  'GET /health/replay': { right: owner },
  'POST /health/replay': { right: owner, audit: 'replay' },
  'POST /setup/targets': { right: owner },
  'POST /setup/registration': { right: owner },
  'POST /setup/fetch': { right: owner },
  'POST /setup/test-event': { right: owner },
  'GET /assign': { right: owner },
  'GET /assign/orders/:id': { right: owner },
  'POST /assign/orders': { right: owner, audit: 'guide_order' },
  'POST /assign/orders/:id/again': { right: owner, audit: 'guide_order' },
  'POST /digest': { right: anyRole },
  'POST /digest/test': { right: anyRole },
  'GET /digest/preview': { right: anyRole },
  // The link in a mail says whose it is, and can do nothing else.
  'GET /digest/unsubscribe': { right: 'everyone' },
  'POST /digest/unsubscribe': { right: 'everyone' },
  'POST /access/people': { right: owner },
  'POST /access/tokens': { right: owner },
  'GET /password': { right: anyRole },
  'POST /password': { right: anyRole },
  'POST /views': { right: anyRole },

  'GET /api/openapi.json': { right: anyRole },
  'GET /api/metrics': { right: anyRole },
  'GET /api/metrics/explain': { right: anyRole },
  'GET /api/assignments': { right: anyRole },
  'GET /api/assignments/:id': { right: anyRole },
  'GET /api/changes': { right: anyRole },
  'GET /api/guides': { right: anyRole },
  'GET /api/failed-events': { right: owner },
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

/** Whether readers of a role may open a page: its path, or its pattern with `:id`. */
export function mayOpen(role: Role | null, path: string): boolean {
  return isAllowed(role, toRight(`GET ${path}`))
}
