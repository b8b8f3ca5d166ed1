/** Filters and the moment follow the reader from page to page, also through pages on which they mean nothing. */
import { toEndOfDate } from '../../reporting/scope/instants.ts'
import { toLocalDate } from '../../schemas/metrics/calendar.ts'
import { hasScope, type PageEntry } from '../navigation.ts'
import type { PageContext } from '../page-context.ts'
import { href, leavePeriod, pageFilters, pageParams, withChange, type PageKey } from './page-url.ts'

type FilterState = Pick<PageContext, 'params' | 'idle'>

/** These select the rows of one number: filters of lists, not of numbers. */
export const rowOnly: readonly PageKey[] = ['status', 'fact', 'aging', 'metric', 'part']
/** A page of one person or assignment takes only its moment from the address, and when something is overdue. */
export const allButMoment = pageFilters.filter((key) => !['as_of', 'tz', 'due_zone', 'due_end'].includes(key))

/** All parameters of the address: in force on this page or not. */
export function allFilters({ params, idle }: FilterState): URLSearchParams {
  return idle === undefined ? params : pageParams(new URLSearchParams([...params, ...idle]))
}

export function samePageHref(
  { path, keeps }: Pick<PageContext, 'path' | 'keeps'>,
  params: URLSearchParams,
): string {
  return href(path, params, keeps)
}

/**
 * The parameters that the frame's links carry. How a page shows its numbers stays there. So does an instant: it pins one list to the
 * numbers it was opened from. Days are what people choose.
 */
export function followed(context: FilterState & Pick<PageContext, 'format'>): URLSearchParams {
  const filters = allFilters(context)
  const left = { compare: null, ...leavePeriod(filters), trend_from: null, trend_to: null }
  return withChange(filters, { ...left, as_of: chosenDay(context) })
}

/**
 * The day that the reader has chosen to look at, `null` for now. A number opens its rows by an instant, so that both agree: that is
 * no choice, unless the instant is the end of a day.
 */
export function chosenDay(context: FilterState & Pick<PageContext, 'format'>): string | null {
  const asOf = allFilters(context).get('as_of')
  if (asOf === null || asOf.length === 10) return asOf
  const { timeZone, now } = context.format
  const ms = Date.parse(asOf)
  const day = Number.isNaN(ms) ? '' : toLocalDate(timeZone, ms)
  return day !== '' && toEndOfDate(day, timeZone, now) === ms && ms < now ? day : null
}

/** The page to save, or to send to someone: of now, unless the reader has chosen a day. */
export function lastingHref(context: PageContext): string {
  return samePageHref(context, withChange(allFilters(context), { as_of: chosenDay(context) }))
}

export function followHref(context: FilterState & Pick<PageContext, 'format'>, page: PageEntry): string {
  return hasScope(page) ? href(page.path, followed(context)) : page.path
}
