/**
 * The page that a URL asks for, read once. `range=90d` stays relative in the URL (a bookmark of "last 90 days" is right
 * tomorrow, too) and becomes the calendar dates that it means today. `compare` chooses the earlier moment to compare with.
 */
import { addDays, toDaysBefore, toLocalDate, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toEndOfDate } from '../../reporting/scope/instants.ts'
import { parseScope, type ParseScopeOptions } from '../../reporting/scope/parse-scope.ts'
import { pageKeys, withChange } from './page-url.ts'
import { t } from '../../language/translate.ts'
import { sayProblem } from '../../language/problems.ts'
import { toShort, type ScopeProblem } from '../../reporting/scope/url-parameters.ts'

export const rangePresets = ['7d', '30d', '90d', '180d', '365d'] as const

export type ParsedPage = {
  scope: Scope
  /** The same scope four weeks ago, or at the end of the last calendar month. `null`: before the first possible moment. */
  previous: Scope | null
  /** The parameters in force, as the reader wrote them: chips and links are made of them. */
  params: URLSearchParams
  /** The same in the parameters of the API: a relative range is dates, so that an export equals the screen. */
  rowParams: URLSearchParams
  /** Notices on parameters that were left out. */
  notices: string[]
}

export type ParsePageOptions = ParseScopeOptions

export function parsePage(
  query: URLSearchParams,
  { now, settings, ignore = [], rows = false }: ParsePageOptions,
): ParsedPage {
  const parsed = parseScope(query, { now, settings, ignore: [...pageKeys, ...ignore], rows })
  const notices = toPageNotices(parsed.problems)
  const params = new URLSearchParams(parsed.applied)

  const asked = parsed.applied.get('as_of') ?? ''
  // The address names the day, and not an instant.
  const isDate = asked.length === 10
  const day = isDate ? asked : toLocalDate(parsed.scope.timeZone, parsed.scope.asOf)
  const range = query.get('range') || null
  const days = daysOfRange(range)
  const dates = days === null ? {} : toRangeDates(parsed.scope, days, day)
  if (range !== null && days === null) notices.push(unknownValue('range', range))
  else if (range !== null && parsed.scope.assignedFrom !== undefined)
    notices.push(t('“range” means nothing beside a first day, so it was ignored.'))
  else if (range !== null && dates.assignedFrom === undefined)
    notices.push(
      ...toPageNotices([{ parameter: 'range', code: 'after_other', values: { other: 'assigned_to' } }]),
    )
  else if (range !== null) params.set('range', range)

  const scope = { ...parsed.scope, ...dates }
  const rowParams = withChange(parsed.applied, {
    ...(dates.assignedFrom !== undefined && { assigned_from: dates.assignedFrom }),
    ...(dates.trendFrom !== undefined && { trend_from: dates.trendFrom }),
  })

  const compare = query.get('compare') || null
  const isLastMonth = compare === lastMonth
  if (isLastMonth) params.set('compare', lastMonth)
  else if (compare !== null)
    notices.push(
      t('There is no comparison “{value}”: the page compares with 4 weeks ago.', { value: toShort(compare) }),
    )
  return { scope, previous: toPrevious(scope, day, isDate, isLastMonth), params, rowParams, notices }
}

/** The value of `compare` for the end of the last calendar month. Without it pages compare with four weeks ago. */
export const lastMonth = 'last_month'

function toPrevious(scope: Scope, day: string, isDate: boolean, isLastMonth: boolean): Scope | null {
  const { timeZone, now, asOf } = scope
  const earlier = isLastMonth ? addDays(toPeriodStart('month', day), -1) : addDays(day, -28)
  if (earlier < '1970-01-02') return null
  const isWholeDay = isLastMonth || isDate
  return {
    ...scope,
    asOf: isWholeDay ? toEndOfDate(earlier, timeZone, now) : toDaysBefore(timeZone, asOf, 28),
  }
}

export function daysOfRange(range: string | null): number | null {
  const days = /^(\d{1,4})d$/.exec(range ?? '')?.[1]
  return days === undefined || Number(days) < 1 || Number(days) > 3660 ? null : Number(days)
}

/** A date that was chosen wins over a range, which is nothing where it would begin after its end. */
function toRangeDates(scope: Scope, days: number, day: string): Pick<Scope, 'assignedFrom' | 'trendFrom'> {
  const from = addDays(day, 1 - days)
  if (scope.assignedFrom !== undefined || from > (scope.assignedTo ?? from)) return {}
  // The trend shows the range and not the empty weeks before it; too short or too long a range says nothing about it.
  const showsTrend = days >= 28 && days <= 400 && scope.trendFrom === undefined && scope.trendTo === undefined
  return { assignedFrom: from, ...(showsTrend && { trendFrom: from }) }
}

/** The parameters of an address that the page could not use. */
export function toPageNotices(problems: readonly ScopeProblem[]): string[] {
  return problems.map(({ parameter, ...problem }) => {
    const value = problem.values?.['value']
    if (value !== undefined) return unknownValue(parameter, String(value))
    return problem.code === 'unknown'
      ? t('Unknown filter “{parameter}” was ignored.', { parameter })
      : t('“{parameter}” {problem}, so it was ignored.', { parameter, problem: sayProblem(problem) })
  })
}

export function unknownValue(key: string, value: string): string {
  return t('Ignored: “{value}” is not a value of “{key}”.', { key, value: toShort(value) })
}
