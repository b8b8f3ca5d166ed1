import type { DueEnd, Period } from '../../schemas/metrics/answer.ts'

/** Calendar dates are `YYYY-MM-DD`, so that they compare as text. */
export type CalendarDate = string

const dayMs = 86_400_000
const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()
const dayEnds = new Map<string, number>()

/** The calendar date that a clock on the wall in `zone` shows at this instant. */
export function localDate(zone: string, instant: number): CalendarDate {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(zone, format)
  }
  const [month, day, year] = format.format(instant).split('/')
  return `${year}-${month}-${day}`
}

/**
 * The first instant after the whole of a local day. Found by walking back from well inside the next days until the
 * clock shows the day itself (or an earlier one): right also where midnight does not exist or comes twice.
 */
export function firstInstantAfter(zone: string, date: CalendarDate): number {
  const key = `${zone} ${date}`
  const known = dayEnds.get(key)
  if (known !== undefined) return known
  // No zone is further than 16 hours from UTC, so two UTC days on the local day is surely over.
  let after = Date.parse(addDays(date, 2))
  while (localDate(zone, after - 15 * minuteMs) > date) after -= 15 * minuteMs
  let last = after - 15 * minuteMs
  while (after - last > 1) {
    const middle = Math.floor((last + after) / 2)
    if (localDate(zone, middle) > date) after = middle
    else last = middle
  }
  dayEnds.set(key, after)
  return after
}

export function firstInstantOf(zone: string, date: CalendarDate): number {
  return firstInstantAfter(zone, addDays(date, -1))
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** The first date of the period that this date lies in; weeks begin on Monday. */
export function periodStart(period: Period, date: CalendarDate): CalendarDate {
  if (period === 'day') return date
  if (period === 'month') return `${date.slice(0, 7)}-01`
  const daysSinceMonday = (new Date(Date.parse(date)).getUTCDay() + 6) % 7
  return addDays(date, -daysSinceMonday)
}

/** The start of the period `count` periods later (or earlier). */
export function shiftPeriod(period: Period, start: CalendarDate, count: number): CalendarDate {
  if (period === 'day') return addDays(start, count)
  if (period === 'week') return addDays(start, 7 * count)
  const months = Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)) - 1 + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
}

/** The first instant at which something due at `dueDate` is late. */
export function lateFrom(dueDate: number, dueZone: string, dueEnd: DueEnd): number {
  return dueEnd === 'instant' ? dueDate + 1 : firstInstantAfter(dueZone, localDate(dueZone, dueDate))
}
