/** Saved views: which pages can be saved, what a view keeps of an address, and which views a reader has. */
import { isAllowed, toRight } from '../access/route-policy.ts'
import type { Role } from '../../services/config/values/roles.ts'
import { href } from '../scope/page-url.ts'
import { t, type Message } from '../../language/translate.ts'
import type { AccessView } from '../../services/saved-views/saved-views.ts'
import type { PageContext } from '../page-context.ts'

/** By path, as in the route policy. */
const savable: Readonly<Record<string, Message>> = {
  '/': 'Home',
  '/assignments': 'Assignments',
  '/assignments/:id': 'One assignment',
  '/learners': 'People',
  '/learners/:id': 'One person',
  '/overdue': 'Overdue',
  '/grading': 'Grading',
  '/guides': 'Guides',
  '/changes': 'Changes',
  '/challenges': 'All challenges',
  '/challenges/:id': 'One challenge',
  '/teams': 'All teams',
  '/teams/:id': 'One team',
  '/managers': 'All managers',
  '/managers/:id': 'One manager',
}

function findPage(path: string): string | undefined {
  const page = path.replace(/^(\/[a-z]+)\/[^/]+$/, '$1/:id')
  return isEncoded(path) && Object.hasOwn(savable, page) ? page : undefined
}

function isEncoded(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Undefined if the page cannot be saved. */
export function toPageName(path: string): string | undefined {
  const name = savable[findPage(path) ?? '']
  return name === undefined ? undefined : t(name)
}

/** Whether the reader can save this page. */
export function canSave({ views, path }: PageContext): boolean {
  return views !== undefined && toPageName(path) !== undefined
}

function mayOpen(role: Role | null, path: string): boolean {
  const page = findPage(path)
  return page !== undefined && isAllowed(role, toRight(`GET ${page}`))
}

/** Where a page of a long list continues. */
const places: readonly string[] = ['after', 'before', 'page']

/** The part of an address that a saved view keeps. */
export function toSavedQuery(params: URLSearchParams): string {
  return new URLSearchParams(
    [...params].filter(([key, value]) => value !== '' && !places.includes(key)),
  ).toString()
}

/** `null` if the address is not a page of ours, cannot be saved, or is not for this role. */
export function readPage(
  address: string,
  role: Role | null,
): { path: string; params: URLSearchParams } | null {
  // `//host` and `/\\host` would be another site.
  if (!/^\/(?![/\\])/.test(address)) return null
  const url = URL.parse(address, 'http://page.invalid')
  return url !== null && mayOpen(role, url.pathname) ? { path: url.pathname, params: url.searchParams } : null
}

/** The views whose page opens for the reader. */
export function ownViews({ views = [], visitor }: PageContext): AccessView[] {
  return views.filter(({ path }) => mayOpen(visitor.role, path))
}

export function viewHref({ path, query }: Pick<AccessView, 'path' | 'query'>): string {
  return href(path, new URLSearchParams(query))
}
