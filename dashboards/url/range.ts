/**
 * `range=90d` stays relative in the URL (a bookmark of "last 90 days" is right tomorrow, too); here it becomes the
 * calendar dates that it means today. `compare=previous` becomes the instant to compare with.
 */
import { addDays, calendarDayOf } from '../text/format.ts'
import { scopeParams, withChange } from './page-url.ts'

export const rangePresets = ['7d', '30d', '90d', '180d', '365d'] as const

export type ResolvedPage = {
  /** What to compute: `range` has become `assigned_from`, `compare` is gone. As `/api/metrics` reads it. */
  params: URLSearchParams
  /** The instant of `vs previous`, or `null` when no comparison is asked for. */
  compareTo: string | null
  /** What the previous numbers are computed with: the same, at `compareTo`, a relative range moved along. */
  previousParams: URLSearchParams | null
  /** Said to the reader: what was asked for and cannot be. */
  notices: string[]
}

export function daysOfRange(range: string | null): number | null {
  const days = /^(\d{1,4})d$/.exec(range ?? '')?.[1]
  return days === undefined || Number(days) < 1 || Number(days) > 3660 ? null : Number(days)
}

export function resolvePage(given: URLSearchParams, options: { now: number; timeZone: string }): ResolvedPage {
  const notices: string[] = []
  const scope = scopeParams(given)
  const range = scope.get('range')
  const days = daysOfRange(range)
  if (range !== null && days === null) notices.push(`The range “${range}” is not known here, so it was left out.`)
  const compare = scope.get('compare')
  if (compare !== null && compare !== 'previous') notices.push(`The comparison “${compare}” is not known here, so it was left out.`)

  const at = asOfInstant(scope.get('as_of'), options)
  const params = atInstant(scope, days, at, options.timeZone)
  if (compare !== 'previous' || at === null) return { params, compareTo: null, previousParams: null, notices }
  const earlier = at - comparisonDays(days) * 86_400_000
  const previousParams = withChange(atInstant(scope, days, earlier, options.timeZone), { as_of: new Date(earlier).toISOString() })
  return { params, compareTo: new Date(earlier).toISOString(), previousParams, notices }
}

/** Whole weeks, so that weekdays meet their like and the running period is as far along in both; four without a range. */
export function comparisonDays(rangeDays: number | null): number {
  return Math.max(1, Math.round((rangeDays ?? 28) / 7)) * 7
}

function atInstant(scope: URLSearchParams, days: number | null, at: number | null, timeZone: string): URLSearchParams {
  const plain = withChange(scope, { range: null, compare: null })
  if (days === null || at === null || plain.has('assigned_from')) return plain
  return withChange(plain, { assigned_from: addDays(calendarDayOf(at, timeZone), 1 - days) })
}

/** The instant a page looks at; a date means the end of that day, which only the queries need to know exactly. */
function asOfInstant(asOf: string | null, { now }: { now: number }): number | null {
  if (asOf === null) return now
  const text = /^\d{4}-\d{2}-\d{2}$/.test(asOf) ? `${asOf}T12:00:00Z` : asOf
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : Math.min(instant, now)
}
