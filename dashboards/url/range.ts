/**
 * `range=90d` stays relative in the URL (a bookmark of "last 90 days" is right tomorrow, too); here it becomes the
 * calendar dates that it means today. `compare=previous` becomes the scope to compare with.
 */
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import { scopeParams, withChange } from './page-url.ts'

export const rangePresets = ['7d', '30d', '90d', '180d', '365d'] as const

export type ResolvedPage = {
  /** What to compute: `range` has become `assigned_from`, `compare` is gone. As `/api/metrics` reads it. */
  params: URLSearchParams
  /** What to compare with: the same at an earlier `as_of`, a relative range moved along; `null` when not asked for. */
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
  if (compare !== null && compare !== 'previous')
    notices.push(`The comparison “${compare}” is not known here, so it was left out.`)

  const moment = momentOf(scope.get('as_of'), options)
  const params = atMoment(scope, days, moment)
  if (compare !== 'previous' || moment === null) return { params, previousParams: null, notices }
  const earlier = moveBack(moment, comparisonDays(days))
  if (earlier === null) {
    notices.push('There is nothing to compare with so far in the past.')
    return { params, previousParams: null, notices }
  }
  return { params, previousParams: withChange(atMoment(scope, days, earlier), { as_of: earlier.asOf }), notices }
}

/** Whole weeks, so that weekdays meet their like and the running period is as far along in both; four without a range. */
export function comparisonDays(rangeDays: number | null): number {
  return Math.max(1, Math.round((rangeDays ?? 28) / 7)) * 7
}

/** The moment a page looks at: as the URL says it (a date is the end of that day), and its calendar day. */
type Moment = { asOf: string; day: string; timeZone: string }

function momentOf(asOf: string | null, { now, timeZone }: { now: number; timeZone: string }): Moment | null {
  if (asOf !== null && isDate(asOf)) return { asOf, day: asOf, timeZone }
  const instant = asOf === null ? now : Date.parse(asOf)
  return Number.isNaN(instant)
    ? null
    : { asOf: new Date(instant).toISOString(), day: toLocalDate(timeZone, instant), timeZone }
}

function moveBack({ asOf, day, timeZone }: Moment, days: number): Moment | null {
  const earlier = addDays(day, -days)
  if (earlier < '1970-01-02') return null
  if (isDate(asOf)) return { asOf: earlier, day: earlier, timeZone }
  const instant = Date.parse(asOf) - days * 86_400_000
  return { asOf: new Date(instant).toISOString(), day: toLocalDate(timeZone, instant), timeZone }
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

function atMoment(scope: URLSearchParams, days: number | null, moment: Moment | null): URLSearchParams {
  const plain = withChange(scope, { range: null, compare: null })
  if (days === null || moment === null || plain.has('assigned_from')) return plain
  const from = addDays(moment.day, 1 - days)
  // The trend shows the range and not the empty weeks before it; too short or too long a range says nothing about it.
  const showsTrend = days >= 28 && days <= 400 && !plain.has('trend_from') && !plain.has('trend_to')
  return withChange(plain, { assigned_from: from, ...(showsTrend && { trend_from: from }) })
}
