/**
 * The URL is the state: everything on a page follows from these keys, and links are the current URL with a change. Keys
 * without a form field (a person, a status) stay as chips, so no link loses a filter.
 */
import { scopeKeys, type ScopeKey } from '../../reporting/scope/filters.ts'

/** Keys of pages only: a range that stays relative, and what to compare with. */
export const pageKeys = ['range', 'compare'] as const
export type PageKey = ScopeKey | (typeof pageKeys)[number]

const orderedKeys: readonly PageKey[] = [...scopeKeys, ...pageKeys]

/** What a page's URL says about the scope; empty values (as an untouched form sends them) are not given. */
export function pageParams(params: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams()
  for (const key of orderedKeys)
    for (const value of new Set(params.getAll(key))) if (value !== '') kept.append(key, value)
  return kept
}

export type Change = Partial<Record<PageKey, string | string[] | null>>

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

export function href(path: string, params: URLSearchParams): string {
  const query = params.toString()
  return query === '' ? path : `${path}?${query}`
}

/** Facts that an effective status also states (METRICS.md): either key selects the same assignments. */
const statusOfFact: Record<string, string> = {
  completed: 'completed',
  failed: 'failed',
  awaiting_grading: 'awaiting_grading',
  overdue: 'overdue',
}

export type Narrow = { fact?: string; aging?: string | readonly string[]; team?: string; challenge?: string }

/**
 * Where the rows behind a number are: the page's scope, pinned to its snapshot, narrowed to one fact. Values of one key
 * mean "or", so a page already filtered by `fact` is narrowed by `status` if that can say it, and has no link otherwise.
 */
export function rowsHref(
  params: URLSearchParams,
  asOf: string,
  narrow: Narrow = {},
  format: 'csv' | 'json' = 'csv',
): string | null {
  const change: Change = { as_of: asOf, compare: null, period: null }
  for (const [key, wanted] of Object.entries(narrow)) {
    const values = [wanted].flat()
    const given = (name: string) => params.getAll(name).filter((value) => value !== '')
    const status = key === 'fact' ? statusOfFact[values[0] ?? ''] : undefined
    // A requested part of the given values stands alone. An assignment has one bucket and one challenge, so a part of
    // those is the intersection; facts and teams overlap, so only all or nothing works.
    const both = key === 'aging' || key === 'challenge' ? values.filter((value) => given(key).includes(value)) : []
    if (given(key).length === 0 || values.every((value) => given(key).includes(value))) change[key as PageKey] = values
    else if (both.length > 0) change[key as PageKey] = both
    else if (status !== undefined && given('status').length === 0) change.status = status
    else return null
  }
  const rows = withChange(params, change)
  rows.set('format', format)
  return href('/api/assignments', rows)
}
