import { canOpen } from '../access.tsx'
import type { PageContext } from '../../page-context.ts'
import { type ObjectKind, objectPaths } from '../group-url.ts'
import { href, withChange } from '../../scope/page-url.ts'

/** The SQL of the lines of all challenges, teams or managers in a scope; `undefined`: the reader may not see it. */
export function toLinesSqlHref(
  context: PageContext,
  kind: ObjectKind,
  rowParams: URLSearchParams,
  asOf: string,
  own: Record<string, string> = {},
): string | undefined {
  const path = `${objectPaths[kind]}.sql`
  if (!canOpen(context, path)) return undefined
  return href(path, withChange(rowParams, { as_of: asOf, compare: null, range: null, ...own }))
}
