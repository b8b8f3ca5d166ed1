/** Every page that the router knows, for every role: a new page is among them without being named. */
import { isAllowed, routePolicy, toRight } from '../../dashboards/access/route-policy.ts'
import { roles, type Role } from '../../services/config/values/roles.ts'
import { ids } from './filled-company.ts'

export type Visit = { path: string; as: Role | 'nobody'; status: number }

/** Routes that answer with something else than a page. */
const noPage = /^\/(api|assets|news|mcp|health\/(live|ready)|sign-in\/(start|callback))(\/|$)|:file/

/** What stands for the parameter of a path. */
const parameters: Record<string, string> = {
  '/challenges/:id': ids.challenge,
  '/teams/:id': ids.team,
  '/managers/:id': ids.manager,
  '/learners/:id': ids.person,
  '/assignments/:id': ids.assignment,
  '/assign/orders/:id': 'done',
  '/health/failed/:id': ids.failed,
  '/sign-in/password/:token': 'unknown',
}

/** What fills a page. */
const queries: Record<string, readonly string[]> = {
  '/': ['range=90d&compare=last_month', `as_of=2026-10-20&team=${ids.team}&unknown=1`, 'as_of=2027-01-01'],
  '/assignments': ['fact=overdue', 'metric=on_time_rate&part=numerator&user=x-1'],
  '/overdue': ['group=manager'],
  '/remind': ['ticked=true'],
  '/grading': ['waiting=7-13&review=soon'],
  '/teams': ['sort=-grade_median'],
  '/managers': ['reports=all'],
  '/changes': ['since=week', 'kind=became_overdue&cause=time'],
  '/guides': ['show=assigned'],
  '/search': ['q=a', 'q=qqqq'],
  '/assign': ['fact=overdue&guide=GUIDE'],
  '/digest/preview': ['login=mona@example.com'],
  '/digest/unsubscribe': ['key=wrong'],
}

const more: readonly Visit[] = [
  { path: '/assign/orders/waiting', as: 'owner', status: 200 },
  { path: '/nowhere', as: 'owner', status: 404 },
  { path: '/teams/nowhere', as: 'owner', status: 404 },
]

/** Pages of the policy, filled and as the role sees them; each page that a role may not open once. `guide`: an id. */
export function toVisits(guide: string): Visit[] {
  const patterns = Object.keys(routePolicy)
    .filter((key) => key.startsWith('GET ') && !noPage.test(key.slice(4)))
    .map((key) => key.slice(4))
  const visits = patterns.flatMap((pattern): Visit[] => {
    const right = toRight(`GET ${pattern}`)
    const path = toPath(pattern)
    if (right === 'everyone') return [{ path, as: 'nobody', status: pattern.includes(':') ? 404 : 200 }]
    const [refused] = roles.filter((role) => !isAllowed(role, right))
    const filled = (queries[pattern] ?? []).map((query) => `${path}?${query.replace('GUIDE', guide)}`)
    return [
      ...roles.filter((role) => isAllowed(role, right)).map((as) => ({ path, as, status: 200 })),
      ...filled.map((each): Visit => ({
        path: each,
        as: right.includes('owner') ? 'owner' : 'manager',
        status: 200,
      })),
      ...(refused === undefined ? [] : [{ path, as: refused, status: 403 }]),
    ]
  })
  return [...visits, ...more]
}

function toPath(pattern: string): string {
  if (!pattern.includes(':')) return pattern
  const id = parameters[pattern]
  if (id === undefined) throw new Error(`visits.ts has no value for the parameter of ${pattern}`)
  return pattern.replace(/:\w+/, encodeURIComponent(id))
}
