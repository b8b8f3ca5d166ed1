/** Links of the Overdue page: its scope, and which people of it are listed. */
import { href, withChange } from '../../scope/page-url.ts'
import type { LateGroup, LatePerson } from '../../../reporting/statements/overdue.ts'

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

/** Which people stand on a page of the list: whole groups in turn, or the people of one group. However many are late, it is bounded. */
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

export function listGroups(groups: readonly LateGroup[], { of, after }: OverdueList, size: ListSize): Listed {
  if (of.kind !== 'everybody') {
    const groupId = of.kind === 'manager' ? of.id : ''
    const group = groups.find(({ id }) => id === groupId)
    if (group === undefined) return { groups: [], next: null, groupCount: 0 }
    const rest =
      after === null ? group.people : group.people.slice(indexAfter(group.people, after, ({ user_id }) => user_id))
    const shown = rest.slice(0, size.peopleOfOne)
    return {
      groups: [{ group, shown }],
      next: rest.length > shown.length ? toKey(shown.at(-1)?.user_id ?? '') : null,
      groupCount: 1,
    }
  }
  const rest = after === null ? groups : groups.slice(indexAfter(groups, after, ({ id }) => id))
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

function indexAfter<Entry>(entries: readonly Entry[], after: string, idOf: (entry: Entry) => string): number {
  return entries.findIndex((entry) => toKey(idOf(entry)) === after) + 1
}
