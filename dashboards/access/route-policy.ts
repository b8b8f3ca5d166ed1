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
/** Rows, with ids of people: narrowed to the people that a manager may see. */
const rows: Right = ['owner', 'analyst', 'manager']
/** People write to the people whom they lead. */
const leaders: Right = ['owner', 'manager']
/** Numbers without people. */
const numbers: Right = ['owner', 'analyst', 'manager', 'viewer']

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

  'GET /': { right: numbers },
  'GET /overview/:file{[a-z-]+\\.(csv|xlsx)}': { right: numbers },
  'GET /assignments': { right: rows },
  'GET /search': { right: numbers },
  'GET /overdue': { right: rows },
  'GET /overdue/print': { right: rows },
  'GET /overdue/:file{[a-z-]+\\.(csv|xlsx)}': { right: rows },
  'GET /remind': { right: leaders },
  'POST /remind': { right: leaders, audit: 'remind' },
  'GET /notes': { right: leaders },
  'POST /notes': { right: leaders },
  'GET /grading': { right: rows },
  'GET /grading/:file{[a-z-]+\\.(csv|xlsx)}': { right: rows },
  'GET /guides': { right: rows },
  'GET /guides/:file{[a-z-]+\\.(csv|xlsx)}': { right: rows },
  'GET /challenges': { right: rows },
  'GET /challenges.csv': { right: rows },
  'GET /challenges.xlsx': { right: rows },
  'GET /challenges/:id': { right: rows },
  'GET /teams': { right: numbers },
  'GET /teams.csv': { right: numbers },
  'GET /teams.xlsx': { right: numbers },
  'GET /teams/:id': { right: rows },
  'GET /managers': { right: rows },
  'GET /managers.csv': { right: rows },
  'GET /managers.xlsx': { right: rows },
  'GET /managers/:id': { right: rows },
  'GET /changes': { right: rows },
  'GET /:file{changes\\.(csv|xlsx)}': { right: rows },
  'GET /:file{(?:own-past|direct-reports|groups-below)\\.(csv|xlsx)}': { right: rows },
  'GET /:file{days\\.(csv|xlsx)}': { right: rows },
  'GET /learners': { right: rows },
  'GET /:file{learners\\.(csv|xlsx)}': { right: rows },
  'GET /learners/:id': { right: rows },
  'GET /assignments/:id': { right: rows },
  // The page that is printed is decided about by its own entry.
  'GET /news': { right: numbers },
  'GET /data': { right: analysts },
  'POST /data': { right: analysts },
  'GET /help': { right: numbers },
  'GET /help/api': { right: numbers },
  'GET /health': { right: owner },
  'GET /health/failed/:id': { right: owner },
  'GET /health/replay': { right: owner },
  'POST /health/replay': { right: owner, audit: 'replay' },
  'GET /setup': { right: owner },
  'POST /setup/targets': { right: owner },
  'POST /setup/registration': { right: owner },
  'POST /setup/test-event': { right: owner },
  'GET /assign': { right: owner },
  'GET /assign/orders/:id': { right: owner },
  'POST /assign/orders': { right: owner, audit: 'guide_order' },
  'POST /assign/orders/:id/decisions': { right: owner, audit: 'guide_decision' },
  'POST /assign/orders/:id/withdrawals': { right: owner, audit: 'guide_take_back' },
  'GET /digest': { right: rows },
  'POST /digest': { right: rows },
  'POST /digest/test': { right: rows },
  'POST /digest/reminders': { right: rows },
  'GET /digest/preview': { right: rows },
  // The link in a mail says whose it is, and can do nothing else.
  'GET /digest/unsubscribe': { right: 'everyone' },
  'POST /digest/unsubscribe': { right: 'everyone' },
  'GET /access': { right: owner },
  'POST /access/people': { right: owner },
  'POST /access/tokens': { right: owner },
  'GET /password': { right: numbers },
  'POST /password': { right: numbers },
  'POST /sign-out/everywhere': { right: numbers },
  'GET /views': { right: numbers },
  'POST /views': { right: numbers },
  'POST /views/change': { right: numbers },

  'GET /api/openapi.json': { right: numbers },
  'GET /api/metrics': { right: numbers },
  'GET /api/metrics/explain': { right: rows },
  'GET /api/metrics/explain/rows': { right: rows },
  'GET /api/assignments': { right: rows },
  'GET /api/assignments/:id': { right: rows },
  'GET /api/changes': { right: rows },
  'GET /api/guides': { right: rows },
  'GET /api/failed-events': { right: owner },
  'GET /api/failed-events/:id': { right: owner },
  'POST /api/failed-events/replay': { right: owner, audit: 'replay' },
  'GET /api/receipts/:id': { right: owner },
  'GET /api/guide-orders': { right: owner },
  'GET /api/guide-orders/:id': { right: owner },
  'POST /api/guide-orders': { right: owner, audit: 'guide_order' },
  'POST /api/guide-orders/preview': { right: owner },
  'POST /api/guide-orders/:id/decisions': { right: owner, audit: 'guide_decision' },
  'POST /api/guide-orders/:id/withdrawals': { right: owner, audit: 'guide_take_back' },
  // Each tool asks the API as the one who asks.
  'POST /mcp': { right: numbers },
  'GET /mcp': { right: numbers },
  'DELETE /mcp': { right: numbers },
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
