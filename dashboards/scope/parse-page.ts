/**
 * The page that a URL asks for, read once. `range=90d` stays relative in the URL (a bookmark of "last 90 days" is right
 * tomorrow, too) and becomes the calendar dates that it means today. `compare` becomes a second scope.
 */
import { addDays, toDaysBefore, toLocalDate, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toEndOfDate } from '../../reporting/scope/instants.ts'
import { parseScope, type ParseScopeOptions } from '../../reporting/scope/parse-scope.ts'
import { pageKeys, withChange } from './page-url.ts'
import { t } from '../../language/translate.ts'
import { sayProblem } from '../../language/problems.ts'
import { toShort, type ScopeProblem } from '../../reporting/scope/url-parameters.ts'

/** The same assignments 4 weeks ago, or at the end of the last calendar month; other ones of the period before, at the same age. */
export const comparisons = ['4w', 'last_month', 'previous'] as const
type Comparison = (typeof comparisons)[number]

export const rangePresets = ['7d', '30d', '90d', '180d', '365d'] as const

export type ParsedPage = {
  scope: Scope
  /** The scope to compare with: the same at an earlier moment, or with dates moved along. `null` = no comparison. */
  previous: Scope | null
  /** The parameters in force, as the reader wrote them: chips and links are made of them. */
  params: URLSearchParams
  /** The same in the parameters of the API: a relative range is dates, so that an export equals the screen. */
  rowParams: URLSearchParams
  /** Notices on parameters that were left out. */
  notices: string[]
}

/** `compares`: whether the page compares with an earlier moment. Default: yes. */
export type ParsePageOptions = ParseScopeOptions & { compares?: boolean }

export function parsePage(
  query: URLSearchParams,
  { now, settings, ignore = [], rows = false, compares = true }: ParsePageOptions,
): ParsedPage {
  const parsed = parseScope(query, { now, settings, ignore: [...pageKeys, ...ignore], rows })
  const notices = toPageNotices(parsed.problems)
  const params = new URLSearchParams(parsed.applied)

  const moment = toMoment(parsed.scope, parsed.applied.get('as_of'))
  const range = query.get('range') || null
  const days = daysOfRange(range)
  const dates = days === null ? {} : toRangeDates(parsed.scope, days, moment.day)
  if (range !== null && days === null) notices.push(unknownValue('range', range))
  else if (range !== null && parsed.scope.assignedFrom !== undefined)
    notices.push(t('“range” means nothing beside a first day, so it was ignored.'))
  else if (range !== null && dates.assignedFrom === undefined)
    notices.push(...toPageNotices([{ parameter: 'range', code: 'after_other', values: { other: 'assigned_to' } }]))
  else if (range !== null) params.set('range', range)

  const scope = { ...parsed.scope, ...dates }
  const rowParams = withChange(parsed.applied, {
    ...(dates.assignedFrom !== undefined && { assigned_from: dates.assignedFrom }),
    ...(dates.trendFrom !== undefined && { trend_from: dates.trendFrom }),
  })

  const found = compares ? findPrevious(query.get('compare') ?? '', scope, moment) : null
  if (found?.param !== undefined) params.set('compare', found.param)
  if (found?.notice !== undefined) notices.push(found.notice)
  return { scope, previous: found?.previous ?? null, params, rowParams, notices }
}

/** `param`: the choice for the address, if the reader made one. */
type FoundPrevious = { previous: Scope | null; param?: string; notice?: string }

/** Pages compare with 4 weeks ago unless the reader chooses otherwise. */
function findPrevious(text: string, scope: Scope, moment: Moment): FoundPrevious {
  if (text === 'none') return { previous: null, param: text }
  const usual = toPrevious('4w', scope, moment)
  const orNone = typeof usual === 'string' ? null : usual
  if (text === '') return { previous: orNone }
  if (text === 'month') return { previous: orNone, notice: t('Compared with 4 weeks ago in place of a month ago.') }
  if (!isComparison(text)) return { previous: orNone, notice: unknownValue('compare', text) }
  const previous = toPrevious(text, scope, moment)
  return typeof previous === 'string' ? { previous: null, notice: previous } : { previous, param: text }
}

function isComparison(text: string): text is Comparison {
  return (comparisons as readonly string[]).includes(text)
}

/** The scope to compare with, or why there is none. */
function toPrevious(compare: Comparison, scope: Scope, moment: Moment): Scope | string {
  const isCohort = compare === 'previous'
  const { assignedFrom: from, assignedTo: to } = scope
  if (isCohort && from === undefined)
    return t('A comparison with the period before needs a period: choose when the assignments were assigned.')
  const last = to === undefined || to > moment.day ? moment.day : to
  const days = isCohort ? comparisonDays(toDays(from ?? last, last) + 1) : 28
  const earlier = compare === 'last_month' ? toLastMonth(moment, scope) : moveBack(moment, days, scope)
  if (earlier === null) return t('No data that far back.')
  if (!isCohort) return { ...scope, asOf: earlier.asOf }
  const { trendFrom, trendTo } = scope
  return {
    ...scope,
    asOf: earlier.asOf,
    ...(from !== undefined && { assignedFrom: addDays(from, -days) }),
    // Without an end, a range ends with its moment, and so does the one before.
    ...(to !== undefined && { assignedTo: addDays(to, -days) }),
    ...(trendFrom !== undefined && { trendFrom: addDays(trendFrom, -days) }),
    ...(trendTo !== undefined && { trendTo: addDays(trendTo, -days) }),
  }
}

function toDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

/** The end of the last day of the calendar month before. */
function toLastMonth({ day }: Moment, { timeZone, now }: Scope): Moment | null {
  const last = addDays(toPeriodStart('month', day), -1)
  return last < '1970-01-02' ? null : { asOf: toEndOfDate(last, timeZone, now), day: last, isDate: true }
}

export function daysOfRange(range: string | null): number | null {
  const days = /^(\d{1,4})d$/.exec(range ?? '')?.[1]
  return days === undefined || Number(days) < 1 || Number(days) > 3660 ? null : Number(days)
}

/** Whole weeks, so that weekdays meet their like and the running period is as far along in both. */
export function comparisonDays(rangeDays: number): number {
  return Math.max(1, Math.round(rangeDays / 7)) * 7
}

/** The moment a page looks at, epoch ms, and its calendar day. `isDate`: the URL names the day and not an instant. */
type Moment = { asOf: number; day: string; isDate: boolean }

function toMoment({ asOf, timeZone }: Scope, query: string | null): Moment {
  const date = query !== null && query.length === 10 ? query : null
  return { asOf, day: date ?? toLocalDate(timeZone, asOf), isDate: date !== null }
}

function moveBack({ asOf, day, isDate }: Moment, days: number, { timeZone, now }: Scope): Moment | null {
  const earlier = addDays(day, -days)
  if (earlier < '1970-01-02') return null
  if (isDate) return { asOf: toEndOfDate(earlier, timeZone, now), day: earlier, isDate }
  const instant = toDaysBefore(timeZone, asOf, days)
  return { asOf: instant, day: toLocalDate(timeZone, instant), isDate }
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
  return t('Unknown value “{value}” of “{key}” was ignored.', { key, value: toShort(value) })
}

/** Notices on values of a page's own keys. `read`: what the page made of each; nothing where it does not know the value. */
export function toKeyNotices(query: URLSearchParams, read: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(read).flatMap(([key, value]) => {
    const text = query.getAll(key).find((each) => each !== '')
    return text === undefined || (value ?? null) !== null ? [] : [unknownValue(key, text)]
  })
}
