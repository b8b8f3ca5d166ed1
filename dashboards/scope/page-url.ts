/**
 * The URL is the state: everything on a page follows from these keys, and links are the current URL with a change. Keys
 * without a form field (a person, a status) stay as chips, so no link loses a filter.
 */
import {
  rowKeys,
  scopeKeys,
  toAttribute,
  type AttributeKey,
  type RowKey,
  type ScopeKey,
} from '../../reporting/scope/filters.ts'

/** Keys of pages only: a range that stays relative, and what to compare with. */
export const pageKeys = ['range', 'compare'] as const
export type PageKey = ScopeKey | AttributeKey | RowKey | (typeof pageKeys)[number]

export const pageFilters: readonly PageKey[] = [...scopeKeys, ...rowKeys, ...pageKeys]

/** The scope in a page's URL; empty values (as an untouched form sends them) do not count. */
export function pageParams(params: URLSearchParams): URLSearchParams {
  const page = new URLSearchParams()
  const keys = new Set(params.keys())
  const attributes = [...keys].filter((key) => toAttribute(key) !== undefined)
  for (const key of [...pageFilters.filter((each) => keys.has(each)), ...attributes])
    for (const value of new Set(params.getAll(key))) if (value !== '') page.append(key, value)
  return page
}

export type Change = Partial<Record<PageKey, string | readonly string[] | null>>

/** The same scope with some keys replaced; `null` removes one. */
export function withChange(params: URLSearchParams, change: Change): URLSearchParams {
  const next = pageParams(params)
  for (const [key, value] of Object.entries(change)) {
    next.delete(key)
    for (const one of value === null || value === undefined ? [] : [value].flat()) next.append(key, one)
  }
  return pageParams(next)
}

/** The same scope without one of a key's values. */
export function without(params: URLSearchParams, key: PageKey, value: string): URLSearchParams {
  return withChange(params, { [key]: params.getAll(key).filter((other) => other !== value) })
}

/** Parameters of a page besides the scope. Empty values are left out. */
export type OwnParams = Readonly<Record<string, string | readonly string[] | null | undefined>>

export function ownValues(more: OwnParams = {}): [key: string, value: string][] {
  return Object.entries(more).flatMap(([key, values]) =>
    [values ?? []].flat().flatMap((value): [string, string][] => (value === '' ? [] : [[key, value]])),
  )
}

export function href(path: string, params: URLSearchParams, more: OwnParams = {}): string {
  const own = ownValues(more)
  const all = new URLSearchParams([...params].filter(([key]) => !own.some(([name]) => name === key)))
  for (const [key, value] of own) all.append(key, value)
  const query = all.toString()
  return query === '' ? path : `${path}?${query}`
}

/** The part of a page's scope that a number counts: filters, or one part of a metric. */
export type Narrow = Partial<
  Record<Exclude<PageKey, 'range' | 'compare' | 'as_of'>, string | readonly string[]>
>

/** Keys of which an assignment has one value, so that a part of several values is their intersection. */
const isOneValued = (key: string): boolean =>
  ['aging', 'challenge', 'user', 'status'].includes(key) || toAttribute(key) !== undefined

/**
 * The page of the rows behind a number: the page's scope, pinned to its snapshot, narrowed to what the number counts. Values of
 * one key mean "or", so a filter that is set is narrowed by intersection; `null` where that cannot say it.
 */
export function rowsHref(params: URLSearchParams, asOf: string, narrow: Narrow = {}): string | null {
  const rows = toRowParams(params, asOf, narrow)
  return rows === null ? null : href('/assignments', rows)
}

/** The period goes, as it only says how a page shows its numbers; but for a part of a list of periods, whose length it is. */
export function leavePeriod(params: URLSearchParams, metric = params.get('metric')): Pick<Change, 'period'> {
  return metric === 'trend' || metric === 'cohorts' ? {} : { period: null }
}

const pinned = (params: URLSearchParams, asOf: string) =>
  withChange(params, { as_of: asOf, compare: null, ...leavePeriod(params) })

/** The people of the page's scope, pinned to its snapshot: all, or those who have completed everything. */
export const peopleHref = (params: URLSearchParams, asOf: string, only: 'all' | 'complete'): string =>
  href('/learners', pinned(params, asOf), { with: only === 'complete' ? only : null })

export const rowsFileHref = (params: URLSearchParams, asOf: string): string =>
  href('/api/assignments', pinned(params, asOf), { format: 'csv' })

function toRowParams(params: URLSearchParams, asOf: string, narrow: Narrow): URLSearchParams | null {
  const metric = narrow.metric === undefined ? params.get('metric') : String(narrow.metric)
  const change: Change = { as_of: asOf, compare: null, ...leavePeriod(params, metric) }
  for (const [key, value] of Object.entries(narrow) as [keyof Narrow, string | readonly string[]][]) {
    const values = [value].flat()
    // An empty id is "no team", or "unknown challenge", which no filter says.
    if (values.includes('') && (key !== 'team' || params.has(key))) return null
    const filter = params.getAll(key).filter((value) => value !== '')
    const both = values.filter((value) => filter.includes(value))
    if (values.includes('')) change.without = 'team'
    else if (filter.length === 0 || both.length === values.length) change[key] = values
    else if (key.endsWith('_from')) change[key] = [filter[0] ?? '', ...values].sort().at(-1) ?? null
    else if (key.endsWith('_to')) change[key] = [filter[0] ?? '', ...values].sort()[0] ?? null
    else if (isOneValued(key) && both.length > 0) change[key] = both
    else return null
  }
  return withChange(params, change)
}
