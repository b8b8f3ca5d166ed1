/** Moments and dates as a URL gives them. */
import { addDays, toCalendarDate, toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'

/** An instant with offset, or a date: its last millisecond in the zone, for today's now. From 1970 to 2148, epoch ms. */
export function toInstant(text: string, timeZone: string, now: number): number | undefined {
  const date = toCalendarDate(text)
  const instant = date === undefined ? toInstantWithOffset(text) : toEndOfDate(date, timeZone, now)
  return instant !== undefined && instant > 0 && instant < Date.UTC(2149, 0, 1) ? instant : undefined
}

/** The last millisecond of a date in the zone; of today, now. Epoch ms. */
export function toEndOfDate(date: string, timeZone: string, now: number): number {
  return date === toLocalDate(timeZone, now) ? now : toStartOfDay(timeZone, addDays(date, 1)) - 1
}

/** An unescaped + in a URL arrives as a blank. */
function toInstantWithOffset(text: string): number | undefined {
  const match =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|([+ -])(\d{2}):?(\d{2}))$/.exec(text)
  if (match === null || toCalendarDate(match[1] ?? '') === undefined) return undefined
  const [, date, time, sign, hours = '00', minutes = '00'] = match
  const local = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(local) || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return local - (sign === '-' ? -offset : offset)
}
