/** Which pages can be shared, and which files belong to each. Others cannot be reached through a link. */
import { isAllowed, toRight } from '../access/route-policy.ts'
import type { Role } from '../../services/config/values/roles.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { objectKinds, objectPaths, type ObjectKind } from './group-url.ts'
import { rowOnly } from '../scope/follow.ts'
import { href, leavePeriod, withChange } from '../scope/page-url.ts'
import { parsePage } from '../scope/parse-page.ts'
import type { Message } from '../../language/translate.ts'
import type { AccessView } from '../../services/access/access-store.ts'
import type { PageContext } from '../page-context.ts'
import { isCoarseScope } from '../../reporting/coarse/check-scope.ts'

export type ShareFile = {
  /** As in the address of the link. */
  file: string
  name: Message
  /** The route that makes it, as in the policy. */
  route: string
  /** Its path; `null`: the rows behind the page's numbers. */
  path: string | null
}

type Shareable = {
  /** As in the policy. */
  route: string
  name: Message
  /** Which parameter says a later or an earlier moment than now. Left out: the page knows only now. */
  moment?: 'as_of' | 'to'
  /** Filters of rows alone do nothing on the page, so they do nothing in its files. */
  isOfNumbers?: true
  files: readonly ShareFile[]
}

const rows = (['csv', 'xlsx'] as const).map((format): ShareFile => {
  const name = format === 'csv' ? 'Assignments as CSV' : 'Assignments as XLSX'
  return { file: `assignments.${format}`, name, route: 'GET /api/assignments', path: null }
})

function table(page: string, what: string, name: Message): ShareFile {
  const route = `GET /${page}/:file{[a-z-]+\\.(csv|xlsx)}`
  return { file: `${what}.csv`, name, route, path: `/${page}/${what}.csv` }
}

const overviewTables = [
  table('overview', 'trend', 'Trend as CSV'),
  table('overview', 'by-team', 'Teams as CSV'),
  table('overview', 'by-challenge', 'Challenges as CSV'),
]

function lines(what: string): ShareFile[] {
  return (['csv', 'xlsx'] as const).map((format) => ({
    file: `${what}.${format}`,
    name: format === 'csv' ? 'All lines as CSV' : 'All lines as XLSX',
    route: what === 'changes' ? 'GET /:file{changes\\.(csv|xlsx)}' : `GET /${what}.${format}`,
    path: `/${what}.${format}`,
  }))
}

const kindNames: Record<ObjectKind, { all: Message; one: Message }> = {
  challenge: { all: 'All challenges', one: 'One challenge' },
  team: { all: 'All teams', one: 'One team' },
  manager: { all: 'All managers', one: 'One manager' },
}

const shareables: readonly Shareable[] = [
  { route: 'GET /', name: 'Home', moment: 'as_of', isOfNumbers: true, files: [...rows, ...overviewTables] },
  { route: 'GET /assignments', name: 'Assignments', moment: 'as_of', files: rows },
  { route: 'GET /assignments/:id', name: 'One assignment', moment: 'as_of', files: [] },
  { route: 'GET /learners', name: 'Learners', moment: 'as_of', files: [] },
  { route: 'GET /learners/:id', name: 'One learner', moment: 'as_of', files: [] },
  {
    route: 'GET /overdue',
    name: 'Late§place',
    moment: 'as_of',
    files: [
      table('overdue', 'by-manager', 'Managers as CSV'),
      table('overdue', 'by-team', 'Teams as CSV'),
      table('overdue', 'people', 'People as CSV'),
    ],
  },
  {
    route: 'GET /grading',
    name: 'Grading',
    moment: 'as_of',
    files: [table('grading', 'queue', 'Waiting as CSV'), table('grading', 'by-challenge', 'Challenges as CSV')],
  },
  {
    route: 'GET /guides',
    name: 'Guides',
    files: [table('guides', 'by-guide', 'Guides as CSV'), table('guides', 'by-team', 'Teams as CSV')],
  },
  { route: 'GET /changes', name: 'Changes', moment: 'to', files: lines('changes') },
  ...objectKinds.flatMap((kind): Shareable[] => {
    const route = `GET ${objectPaths[kind]}`
    const { all, one } = kindNames[kind]
    return [
      { route, name: all, moment: 'as_of', files: lines(objectPaths[kind].slice(1)) },
      { route: `${route}/:id`, name: one, moment: 'as_of', isOfNumbers: true, files: [...rows, ...overviewTables] },
    ]
  }),
]

const paths = shareables.map(({ route }) => new RegExp(`^${route.slice('GET '.length).replace(':id', '[^/]+')}$`))

/** `undefined`: this page cannot be shared. */
export function toShareable(path: string): Shareable | undefined {
  return isEncoded(path) ? shareables.find((_, index) => paths[index]?.test(path)) : undefined
}

function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Where a page of a long list goes on, and what only this browser knows. */
const places: readonly string[] = ['after', 'before', 'page']

/** The part of an address that a link keeps. `at`: it looks at this moment for ever, epoch ms; `null`: at the moment of its opening. */
export function toLockedQuery({ moment }: Shareable, params: URLSearchParams, at: number | null): string {
  const locked = new URLSearchParams(toSavedQuery(params))
  locked.delete('since', 'visit')
  if (at !== null && moment !== undefined && !locked.has(moment)) locked.set(moment, new Date(at).toISOString())
  return locked.toString()
}

/** The part of an address that a saved view keeps. */
export function toSavedQuery(params: URLSearchParams): string {
  return new URLSearchParams([...params].filter(([key, value]) => value !== '' && !places.includes(key))).toString()
}

/** Whether an address names a person by id or by name. */
export function isAboutPerson({ path, query }: { path: string; query: string }): boolean {
  const params = new URLSearchParams(query)
  const keys = ['user', 'manager', 'people_of', 'q', 'find']
  return /^\/(learners|managers|assignments)\/./.test(path) || keys.some((key) => (params.get(key) ?? '') !== '')
}

export type PageToKeep = { path: string; params: URLSearchParams; shareable: Shareable }

/** `null`: not a page of ours, not one to keep, or not for this role. */
export function readPage(address: string | undefined, role: Role | null): PageToKeep | null {
  // `//host` and `/\\host` would be another site.
  if (address === undefined || !/^\/(?![/\\])/.test(address)) return null
  const url = URL.parse(address, 'http://page.invalid')
  const shareable = url === null ? undefined : toShareable(url.pathname)
  if (url === null || shareable === undefined || !isAllowed(role, toRight(shareable.route))) return null
  return { path: url.pathname, params: url.searchParams, shareable }
}

/** The address of a file over the whole scope of a page. */
export function toFileAddress(
  { file, path: filePath }: ShareFile,
  page: { path: string; query: string },
  options: { now: number; settings: ScopeSettings },
): string {
  const isLeftOut = (key: string) => toShareable(page.path)?.isOfNumbers && rowOnly.some((each) => each === key)
  const query = [...new URLSearchParams(page.query)].filter(([key]) => !isLeftOut(key))
  const params = withObject(page.path, new URLSearchParams(query))
  if (filePath !== null) return href(filePath, params)
  const { rowParams } = parsePage(params, { ...options, ignore: [...params.keys()], rows: true })
  const scope = withChange(rowParams, { range: null, compare: null, ...leavePeriod(rowParams) })
  return href('/api/assignments', scope, { format: file.slice('assignments.'.length) })
}

/** The object in the path of a page is a filter of its files. Of managers direct reports count first, as on the page. */
function withObject(path: string, params: URLSearchParams): URLSearchParams {
  const kind = objectKinds.find((each) => path.startsWith(`${objectPaths[each]}/`))
  if (kind === undefined) return params
  const query = new URLSearchParams([...params].filter(([key]) => key !== kind && key !== 'reports'))
  query.append(kind, decodeURIComponent(path.slice(objectPaths[kind].length + 1)))
  if (kind !== 'manager') return query
  query.delete('manager_depth')
  if (params.get('reports') !== 'all') query.set('manager_depth', '1')
  return query
}

/** Saved views: those of the reader, and those offered to everybody, whose page opens for the reader. */
export function ownViews({ views = [], visitor, settings, format }: PageContext): AccessView[] {
  return views.filter(({ path, query }) => {
    const page = toShareable(path)
    if (page === undefined || !isAllowed(visitor.role, toRight(page.route))) return false
    if (visitor.audience.persons) return true
    const { scope, previous } = parsePage(new URLSearchParams(query), { now: format.now, settings, wholeDays: true })
    return isCoarseScope(scope, settings) && (previous === null || isCoarseScope(previous, settings))
  })
}

export function viewHref({ path, query }: Pick<AccessView, 'path' | 'query'>): string {
  return href(path, new URLSearchParams(query))
}
