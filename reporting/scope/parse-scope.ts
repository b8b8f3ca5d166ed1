/**
 * From a URL's parameters to a scope: every filter and option of METRICS.md. The API is strict: all problems at once, and
 * nothing is computed. Pages are lenient: what cannot be used is left out, and a notice says so.
 */
import { agingBuckets, effectiveStatuses, periods } from '../../schemas/metrics/answer.ts'
import { maxTrendPeriods, toLocalDate, toStartOfDay, addDays, toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import { scopeFacts, type Scope, type ScopeSettings } from '../../schemas/metrics/scope.ts'
import { isTimeZone } from './time-zone.ts'

export type Problem = { parameter: string; message: string }

export type ParsedScope = { ok: true; scope: Scope; notices: string[] } | { ok: false; problems: Problem[] }

export type ParseScopeOptions = {
  /** Epoch ms. */
  now: number
  settings: ScopeSettings
  strict: boolean
  /** Parameters that the caller reads itself (a page's `range`, an export's `format`). */
  ignore?: readonly string[]
}

const dueEnds = ['end_of_day', 'instant'] as const
const windows = ['assigned', 'completed', 'due', 'trend'] as const
const repeatable = ['challenge', 'team', 'manager', 'user', 'status', 'fact', 'aging'] as const
const single = [
  'as_of',
  'tz',
  'due_zone',
  'due_end',
  'period',
  'due_soon_days',
  'include_leavers',
  'manager_depth',
  ...windows.flatMap((name) => [`${name}_from`, `${name}_to`] as const),
] as const

/** Every parameter that a scope is made of. */
export const scopeParameters: readonly string[] = [...repeatable, ...single]

export function parseScope(params: URLSearchParams, options: ParseScopeOptions): ParsedScope {
  const { now, settings, strict, ignore = [] } = options
  const problems: Problem[] = []
  const refuse = (parameter: string, message: string): undefined => void problems.push({ parameter, message })

  /** An empty value is as good as none. */
  const all = (name: string) => params.getAll(name).filter((value) => value !== '')
  function one(name: (typeof single)[number]): string | undefined {
    const values = all(name)
    if (values.length > 1) refuse(name, 'may be given only once')
    return values[0]
  }
  function pick<Value>(name: (typeof single)[number], read: (text: string) => Value | undefined, expected: string) {
    const text = one(name)
    if (text === undefined) return undefined
    return read(text) ?? refuse(name, `must be ${expected}, not ${quote(text)}`)
  }
  function pickAll<Value extends string>(name: (typeof repeatable)[number], values: readonly Value[]): Value[] {
    // A + that was not escaped in the URL arrives as a blank.
    const given = all(name).map((text) => text.replace(/ $/, '+'))
    return [...new Set(given)].flatMap((text) => {
      const found = values.find((value) => value === text)
      if (found === undefined) refuse(name, `must be one of ${values.join(', ')}, not ${quote(text)}`)
      return found ?? []
    })
  }
  function window(name: (typeof windows)[number]): { from?: string; to?: string } {
    const [from, to] = (['from', 'to'] as const).map((end) =>
      pick(`${name}_${end}`, toCalendarDate, 'a calendar date like 2026-03-31'),
    )
    if (from !== undefined && to !== undefined && from > to) {
      refuse(`${name}_from`, `must not be after ${name}_to`)
      return {}
    }
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  }

  for (const name of new Set(params.keys())) {
    if (scopeParameters.includes(name) || ignore.includes(name) || all(name).length === 0) continue
    refuse(name, 'is not known')
  }
  const zoneName = 'a name of the tz database like Europe/Berlin'
  const toZone = (text: string) => (isTimeZone(text) ? text : undefined)
  const timeZone = pick('tz', toZone, zoneName) ?? settings.timeZone
  const assigned = window('assigned')
  const completed = window('completed')
  const due = window('due')
  const trend = window('trend')
  const manager = [...new Set(all('manager'))]
  const managerDepth = pick('manager_depth', toDepth, 'a whole number from 1 to 9999')
  if (managerDepth !== undefined && manager.length === 0) {
    refuse('manager_depth', 'says how far below a manager: give a manager with it')
  }
  const scope: Scope = {
    asOf:
      pick('as_of', (text) => toInstant(text, timeZone, now), 'an instant with offset or a date, from 1970 to 2148') ??
      now,
    now,
    timeZone,
    dueZone: pick('due_zone', toZone, zoneName) ?? settings.dueZone,
    dueEnd: pick('due_end', (text) => dueEnds.find((end) => end === text), dueEnds.join(' or ')) ?? settings.dueEnd,
    period:
      pick('period', (text) => periods.find((period) => period === text), `one of ${periods.join(', ')}`) ?? 'week',
    dueSoonDays: pick('due_soon_days', toDays, 'a whole number from 0 to 365') ?? 7,
    includeLeavers: pick('include_leavers', toBoolean, 'true or false') ?? false,
    challenge: [...new Set(all('challenge'))],
    team: [...new Set(all('team'))],
    manager,
    ...(managerDepth !== undefined && { managerDepth }),
    user: [...new Set(all('user'))],
    status: pickAll('status', effectiveStatuses),
    fact: pickAll('fact', scopeFacts),
    aging: pickAll('aging', agingBuckets),
    ...(trend.from !== undefined && { trendFrom: trend.from }),
    ...(trend.to !== undefined && { trendTo: trend.to }),
    ...(assigned.from !== undefined && { assignedFrom: assigned.from }),
    ...(assigned.to !== undefined && { assignedTo: assigned.to }),
    ...(completed.from !== undefined && { completedFrom: completed.from }),
    ...(completed.to !== undefined && { completedTo: completed.to }),
    ...(due.from !== undefined && { dueFrom: due.from }),
    ...(due.to !== undefined && { dueTo: due.to }),
  }
  if (toTrendPeriods(scope) === undefined) {
    refuse('trend_from', `and the end of the trend must be no more than ${maxTrendPeriods} periods apart`)
    delete scope.trendFrom
  }

  if (strict && problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    scope,
    notices: problems.map(({ parameter, message }) => `${parameter} ${message}; it was left out.`),
  }
}

/** Names and values come from a URL: enough of them to be recognised, no more. */
function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

export function toCalendarDate(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}

/** An instant, or a date: its last millisecond in the reporting zone, for today's now. */
function toInstant(text: string, timeZone: string, now: number): number | undefined {
  const date = toCalendarDate(text)
  const instant = date === undefined ? toInstantWithOffset(text) : toEndOfDate(date, timeZone, now)
  return instant !== undefined && instant > 0 && instant < Date.UTC(2149, 0, 1) ? instant : undefined
}

function toEndOfDate(date: string, timeZone: string, now: number): number {
  return date === toLocalDate(timeZone, now) ? now : toStartOfDay(timeZone, addDays(date, 1)) - 1
}

/** A + that was not escaped in the URL arrives as a blank. */
function toInstantWithOffset(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|([+ -])(\d{2}):?(\d{2}))$/.exec(text)
  if (match === null || toCalendarDate(match[1] ?? '') === undefined) return undefined
  const [, date, time, sign, hours = '00', minutes = '00'] = match
  const local = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(local) || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return local - (sign === '-' ? -offset : offset)
}

function toDays(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 365 ? Number(text) : undefined
}

function toDepth(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined
}

function toBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}
