/** Saved views: which pages can be saved, what a view keeps of an address, and which views a reader has. */
import { mayOpen } from '../access/route-policy.ts'
import { hasScope, isOf, pages } from '../navigation.ts'
import type { Role } from '../../services/config/values/roles.ts'
import { href } from '../scope/page-url.ts'
import { t } from '../../language/translate.ts'
import type { AccessView } from '../../services/saved-views/saved-views.ts'
import type { PageContext } from '../page-context.ts'

/** The name of a page with filters, or of the page of all if it is of one thing. Undefined if it cannot be saved. */
export function toPageName(path: string): string | undefined {
  const page = pages.find((each) => hasScope(each) && isOf(each.path, path))
  return page && t(page.name)
}

export function canSave({ views, path }: PageContext): boolean {
  return views !== undefined && toPageName(path) !== undefined
}

const mayOpenSaved = (role: Role | null, path: string): boolean =>
  toPageName(path) !== undefined && mayOpen(role, path.replace(/^(\/[a-z]+)\/[^/]+$/, '$1/:id'))

/** Where a page of a long list continues. */
const places: readonly string[] = ['after', 'before', 'page']

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
  return url !== null && mayOpenSaved(role, url.pathname)
    ? { path: url.pathname, params: url.searchParams }
    : null
}

/** The views whose page opens for the reader. */
export function ownViews({ views = [], visitor }: PageContext): AccessView[] {
  return views.filter(({ path }) => mayOpenSaved(visitor.role, path))
}

export function viewHref({ path, query }: Pick<AccessView, 'path' | 'query'>): string {
  return href(path, new URLSearchParams(query))
}
