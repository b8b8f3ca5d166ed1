/** Links of the Overdue page: its scope, and which people of it are listed. */
import { href, withChange } from '../../scope/page-url.ts'

/** Parameters of this page besides the scope. */
export const overdueKeys = ['people_of', 'without_manager', 'show', 'after'] as const

/** Which people the list shows. */
export type ListOf = { kind: 'everybody' } | { kind: 'manager'; id: string } | { kind: 'without_manager' }

export type OverdueList = {
  of: ListOf
  /** Whether the page shows what falls due soon, in place of who is late. */
  isDue: boolean
  /** The group, or the person within one group, after which the list begins. The empty text: people without a manager. */
  after: string | null
}

export function parseOverdueList(params: URLSearchParams): OverdueList {
  const manager = params.get('people_of') || null
  const without = params.get('without_manager') === 'true'
  return {
    of: manager !== null ? { kind: 'manager', id: manager } : { kind: without ? 'without_manager' : 'everybody' },
    isDue: params.get('show') === 'due',
    after: params.get('after') || null,
  }
}

export function toListParams(of: ListOf): Record<string, string> {
  if (of.kind === 'everybody') return {}
  return of.kind === 'manager' ? { people_of: of.id } : { without_manager: 'true' }
}

export type OverdueLink = { path?: '/overdue' | '/overdue/print'; list?: ListOf; after?: string; isDue?: boolean }

/** `params`: the scope in force. A list that goes on after somebody is pinned to the moment of its beginning. */
export function overdueHref(
  params: URLSearchParams,
  asOf: string,
  { path = '/overdue', list, after, isDue }: OverdueLink,
): string {
  const next = withChange(params, { compare: null, ...(after !== undefined && { as_of: asOf }) })
  return href(path, next, { ...(list && toListParams(list)), show: isDue === true ? 'due' : null, after })
}
