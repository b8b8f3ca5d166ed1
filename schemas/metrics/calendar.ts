/** Calendar dates (`YYYY-MM-DD`, so that they compare as text) in the zones of the tz database, by Intl. */
import type { Period } from './answer.ts'
import type { Scope } from './scope.ts'

const dayMs = 86_400_000

/** Readers choose zones in URLs: the last ones asked for are kept. */
const mostZones = 24

function byZone<Value>(make: (zone: string) => Value): (zone: string) => Value {
  const made = new Map<string, Value>()
  return (zone) => {
    const known = made.get(zone)
    const value = known ?? make(zone)
    if (known !== undefined) made.delete(zone)
    else if (made.size === mostZones) made.delete(made.keys().next().value!)
    made.set(zone, value)
    return value
  }
}

/** The rules of a zone: from each of `starts` on (epoch ms, ascending), its clocks are so far ahead of UTC (ms). */
export type ZoneRules = { starts: number[]; offsets: number[] }

/** No zone changes its clocks and changes them back within these days. */
const probeDays = 7
const lastRuleDay = 70_000

/** The rules from 1970 to 2161. It takes some 30 ms. */
export const rulesOf = byZone((zone): ZoneRules => {
  // The Swedish way of writing a date is ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE-u-ca-gregory-nu-latn', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: zone,
  })
  const askOffset = (ms: number) => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`) - ms
  const [starts, offsets] = [[0], [askOffset(0)]]
  for (let day = probeDays; day <= lastRuleDay; day += probeDays) {
    let [before, after] = [(day - probeDays) * dayMs, day * dayMs]
    const offset = askOffset(after)
    if (offset === offsets.at(-1)) continue
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000
      if (askOffset(middle) === offset) after = middle
      else before = middle
    }
    starts.push(after)
    offsets.push(offset)
  }
  return { starts, offsets }
})

/** Calendar days of a zone, quickly. Days are counted since 1970. */
export const daysIn = byZone((zone) => {
  const { starts, offsets } = rulesOf(zone)
  /** By UTC day: the last rule that begins before its end. */
  const rules = new Uint16Array(lastRuleDay)
  for (const [rule, start] of starts.entries()) rules.fill(rule, Math.floor(start / dayMs))
  const ruleOn = (utcDay: number) => rules[Math.min(Math.max(utcDay, 0), lastRuleDay - 1)]!
  /** How far clocks are ahead of UTC, ms. */
  const offsetAt = (ms: number): number => {
    let rule = ruleOn(Math.floor(ms / dayMs))
    while (rule > 0 && ms < starts[rule]!) rule--
    return offsets[rule]!
  }
  /** The first instant after a day, also where midnight or the whole day does not exist (then the next day's). */
  const after = (day: number): number => {
    const midnight = (day + 1) * dayMs
    // No zone is further than 16 hours from UTC. The last rule that begins before midnight on its own clock: if it
    // ends before that, too, midnight is left out.
    let rule = ruleOn(day + 2)
    while (rule > 0 && starts[rule]! + offsets[rule]! >= midnight) rule--
    return Math.min(midnight - offsets[rule]!, starts[rule + 1] ?? Infinity)
  }
  return { of: (ms: number) => Math.floor((ms + offsetAt(ms)) / dayMs), after, offsetAt }
})

export const toLocalDate = (zone: string, instantMs: number): string => toDate(daysIn(zone).of(instantMs))

export const toStartOfDay = (zone: string, date: string): number =>
  daysIn(zone).after(Date.parse(date) / dayMs - 1)

/** The same time on the clock so many days earlier, whatever the clocks did in between; where it does not exist, an hour beside it. */
export function toDaysBefore(zone: string, instantMs: number, days: number): number {
  const { offsetAt } = daysIn(zone)
  const sameOffset = instantMs - days * dayMs
  const localMs = sameOffset + offsetAt(instantMs)
  return localMs - offsetAt(localMs - offsetAt(sameOffset))
}

/** As views read them: starts, offsets, when each rule begins by its own clock, and when it ends. */
export function printZoneRules(zone: string): string {
  const { starts, offsets } = rulesOf(zone)
  const localStarts = starts.map((start, rule) => start + offsets[rule]!)
  return JSON.stringify([starts, offsets, localStarts, [...starts.slice(1), 9_000_000_000_000_000]])
}

/** Those that the engine has, once written. */
const dates: string[] = []
const lastDate = 65_535

/** `day`: since 1970. */
export function toDate(day: number): string {
  const date = dates[day] ?? new Date(day * dayMs).toISOString().slice(0, 10)
  if (day >= 0 && day <= lastDate) dates[day] = date
  return date
}

/** `YYYY-MM-DD`, a day that exists. From 1000 on: the periods of a trend may begin before it. */
export function toCalendarDate(text: string): string | undefined {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}

export function addDays(date: string, days: number): string {
  return toDate(Date.parse(date) / dayMs + days)
}

/** The first date of the period in which a date lies; weeks begin on Monday. */
export function toPeriodStart(period: Period, date: string): string {
  if (period === 'day') return date
  if (period === 'month') return `${date.slice(0, 7)}-01`
  return addDays(date, -((new Date(Date.parse(date)).getUTCDay() + 6) % 7))
}

export function shiftPeriod(period: Period, start: string, count: number): string {
  if (period === 'day') return addDays(start, count)
  if (period === 'week') return addDays(start, 7 * count)
  const months = Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)) - 1 + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
}

/** More periods than this in one trend are refused. */
export const maxTrendPeriods = 400

/** The dates are inclusive; missing = T's period, and 11 before the last. */
type TrendRange = Pick<Scope, 'asOf' | 'timeZone' | 'period' | 'trendFrom' | 'trendTo'>

/** The starts of a trend's periods, ascending; may be empty. `undefined` where they are more than `maxTrendPeriods`. */
export function toTrendPeriods(scope: TrendRange): string[] | undefined {
  const { asOf, timeZone, period, trendFrom, trendTo } = scope
  const current = toPeriodStart(period, toLocalDate(timeZone, asOf))
  const end = trendTo === undefined ? current : toPeriodStart(period, trendTo)
  const last = end < current ? end : current
  const first = trendFrom === undefined ? shiftPeriod(period, last, -11) : toPeriodStart(period, trendFrom)
  const starts: string[] = []
  for (let start = first; start <= last; start = shiftPeriod(period, start, 1)) {
    if (starts.length === maxTrendPeriods) return undefined
    starts.push(start)
  }
  return starts
}
