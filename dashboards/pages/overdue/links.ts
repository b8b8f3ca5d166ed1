/** Links of the Overdue page: its scope, and which people of it are listed. */
import type { PageContext } from '../../page-context.ts'
import { allFilters } from '../../scope/follow.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { toKeyNotices } from '../../scope/parse-page.ts'
import type { LateGroup, LatePerson } from '../../../reporting/statements/overdue.ts'

/** Parameters of this page besides the scope. */
export const overdueKeys = ['people_of', 'without_manager', 'show', 'after'] as const

/** The manager whose people a list shows. The empty text: people without one; `null`: everybody. */
export type ListOf = string | null

export type OverdueList = {
  of: ListOf
  /** Whether the page shows what falls due soon, in place of who is late. */
  isDue: boolean
  /** The group, or the person within one group, after which the list begins. The empty text: people without a manager. */
  after: string | null
}

export function parseOverdueList(params: URLSearchParams): OverdueList {
  return {
    of: params.get('people_of') || (params.get('without_manager') === 'true' ? '' : null),
    isDue: params.get('show') === 'due',
    after: params.get('after') || null,
  }
}

export function toListParams(of: ListOf): Record<string, string> {
  if (of === null) return {}
  return of === '' ? { without_manager: 'true' } : { people_of: of }
}

export type OverdueLink = { path?: '/overdue' | '/overdue/print'; list?: ListOf; after?: string; isDue?: boolean }

/** A list that goes on after somebody is pinned to the moment of its beginning. */
export function overdueHref(
  context: Pick<PageContext, 'params' | 'idle'>,
  asOf: string,
  { path = '/overdue', list = null, after, isDue }: OverdueLink,
): string {
  const next = withChange(allFilters(context), { compare: null, ...(after !== undefined && { as_of: asOf }) })
  return href(path, next, { ...toListParams(list), show: isDue === true ? 'due' : null, after })
}

type ListedGroup = { group: LateGroup; shown: LatePerson[] }

export type Listed = {
  groups: ListedGroup[]
  /** Where the list goes on: after this group, or this person of the only group. `null`: it is at its end. */
  next: string | null
  groupCount: number
}

export type ListSize = { groups: number; people: number; peopleOfGroup: number; peopleOfOne: number }

export const screenSize: ListSize = { groups: 3, people: 12, peopleOfGroup: 4, peopleOfOne: 100 }
export const paperSize: ListSize = { groups: 30, people: 400, peopleOfGroup: 200, peopleOfOne: 400 }

/** In a URL, where the empty id is not given. Ids do not hold control characters. */
const nobody = '\u0001'

/** Which people stand on a page of the list: whole groups in turn, or the people of one group. However many are late, it is bounded. */
export function listGroups(groups: readonly LateGroup[], { of, after }: OverdueList, size: ListSize): Listed {
  if (of !== null) {
    const group = groups.find(({ id }) => id === of)
    if (group === undefined) return { groups: [], next: null, groupCount: 0 }
    const rest = listAfter(group.people, after, ({ user_id }) => user_id)
    const shown = rest.slice(0, size.peopleOfOne)
    return {
      groups: [{ group, shown }],
      next: rest.length > shown.length ? toKey(shown.at(-1)?.user_id ?? '') : null,
      groupCount: 1,
    }
  }
  const rest = listAfter(groups, after, ({ id }) => id)
  const listed: ListedGroup[] = []
  let people = 0
  for (const group of rest) {
    const shown = group.people.slice(0, size.peopleOfGroup)
    if (listed.length === size.groups || (listed.length > 0 && people + shown.length > size.people)) break
    listed.push({ group, shown })
    people += shown.length
  }
  const isMore = rest.length > listed.length
  return { groups: listed, next: isMore ? toKey(listed.at(-1)?.group.id ?? '') : null, groupCount: groups.length }
}

function toKey(id: string): string {
  return id === '' ? nobody : id
}

/** Notices on what an address asks of the list and the page does not know. */
export function toListNotices(query: URLSearchParams, groups: readonly LateGroup[], { of, after }: OverdueList) {
  const places =
    of === null
      ? groups.map(({ id }) => id)
      : (groups.find(({ id }) => id === of)?.people ?? []).map(({ user_id }) => user_id)
  return toKeyNotices(query, {
    show: ['due'].find((each) => each === query.get('show')),
    without_manager: ['true'].find((each) => each === query.get('without_manager')),
    after: places.find((id) => toKey(id) === after),
  })
}

/** All where nothing is before them. */
function listAfter<Entry>(entries: readonly Entry[], after: string | null, idOf: (entry: Entry) => string) {
  return entries.slice(entries.findIndex((entry) => toKey(idOf(entry)) === after) + 1)
}
