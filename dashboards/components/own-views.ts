/** Saved views that a reader can open. */
import type { AccessView } from '../../services/access/access-store.ts'
import { isAllowed, toRight } from '../access/route-policy.ts'
import { anybody } from '../../services/access/visitor.ts'
import type { PageContext } from '../page-context.ts'
import { href } from '../scope/page-url.ts'
import { toShareable } from './shareable.ts'
import { isCoarseScope } from '../../reporting/coarse/check-scope.ts'
import { parsePage } from '../scope/parse-page.ts'

/** Those of the reader, and those offered to everybody, whose page opens for the reader. */
export function ownViews({ views = [], visitor = anybody, settings, format }: PageContext): AccessView[] {
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
