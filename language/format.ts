/**
 * Numbers and dates by Intl in the reader's locale. Digits stay Latin and the calendar Gregorian, whatever the words are in.
 * The zone's name is printed once per page, never in these.
 */
import { toLocalDate } from '../schemas/metrics/calendar.ts'
import { wrongEnd } from '../schemas/metrics/shown-share.ts'
import { countedIn, makeOnce, t, type Noun } from './translate.ts'
import { currentReading } from './language.ts'

export type Format = ReturnType<typeof createFormat>

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `dueZone`: of due days. Default: `timeZone`. */
export function createFormat(options: { locale: string; timeZone: string; dueZone?: string; now: number }) {
  const { timeZone, dueZone = timeZone, now } = options
  const locale = new Intl.Locale(options.locale, { numberingSystem: 'latn', calendar: 'gregory' }).toString()
  const integer = makeOnce(Intl.NumberFormat, locale, { maximumFractionDigits: 0 })
  const decimal = makeOnce(Intl.NumberFormat, locale, { maximumFractionDigits: 1 })
  const percents = [0, 1].map((digits) => percentFormat(locale, digits))
  const signed = makeOnce(Intl.NumberFormat, locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const date = (extra: Intl.DateTimeFormatOptions) =>
    makeOnce(Intl.DateTimeFormat, locale, { timeZone, day: 'numeric', month: 'short', ...extra })
  const moment = date({ year: 'numeric', hour: '2-digit', minute: '2-digit' })
  const clock = makeOnce(Intl.DateTimeFormat, locale, { timeZone, hour: '2-digit', minute: '2-digit' })
  // Calendar dates are already in the reporting zone: they are formatted as UTC, so nothing shifts them.
  const calendarDay = date({ timeZone: 'UTC' })
  const calendarDayYear = date({ timeZone: 'UTC', year: 'numeric' })
  const calendarWeekday = date({ timeZone: 'UTC', weekday: 'short' })
  const weekdays = date({ weekday: 'short' })
  const calendarWeekdayName = makeOnce(Intl.DateTimeFormat, locale, { timeZone: 'UTC', weekday: 'long' })
  const calendarMonth = date({ timeZone: 'UTC', day: undefined, year: 'numeric' })
  const unit = (name: string, value: number, digits: number) =>
    makeOnce(Intl.NumberFormat, locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'long',
      maximumFractionDigits: digits,
    }).format(value)

  function duration(ms: number): string {
    if (ms < minuteMs) return unit('second', Math.round(ms / secondMs), 0)
    if (ms < hourMs) return unit('minute', Math.round(ms / minuteMs), 0)
    if (ms < 2 * dayMs) return unit('hour', ms / hourMs, ms < 10 * hourMs ? 1 : 0)
    return unit('day', ms / dayMs, ms < 10 * dayMs ? 1 : 0)
  }

  function durationAfter(ms: number): string {
    const words = duration(ms)
    return currentReading().language === 'de' ? words.replace(/Tage$/, 'Tagen') : words
  }

  function dayIn(zone: string): (instant: string) => string {
    const [plainDay, dayYear] = [date({ timeZone: zone }), date({ timeZone: zone, year: 'numeric' })]
    return (instant) => {
      const at = Date.parse(instant)
      const isThisYear = toLocalDate(zone, at).slice(0, 4) === toLocalDate(zone, now).slice(0, 4)
      return (isThisYear ? plainDay : dayYear).format(at)
    }
  }

  return {
    locale,
    timeZone,
    now,
    count: (value: number) => integer.format(value),
    decimal: (value: number) => decimal.format(value),
    /** A share 0..1. Less than all never shows as 100 %, and more than nothing never as 0 %. */
    percent(value: number, digits: 0 | 1 = 0): string {
      const show = percents[digits] as Intl.NumberFormat
      const step = digits === 0 ? 0.01 : 0.001
      const end = wrongEnd(value, step)
      if (end === null) return show.format(value)
      return end === 0 ? `<${show.format(step)}` : `>${show.format(1 - step)}`
    },
    /** The difference of two shares in percentage points: "+3.1 points". */
    points(difference: number): string {
      const points = Math.round(difference * 1000) / 10
      const shown = minus(signed.format(points))
      return Math.abs(points) === 1 ? t('{n} point', { n: shown }) : t('{n} points', { n: shown })
    },
    /** "+13", "−4": with a true minus sign, as wide as the plus. */
    signed: (value: number) => minus(signed.format(value)),
    duration,
    /** After a preposition: in German "seit 3 Tagen" and not "seit 3 Tage". */
    durationAfter,
    /** "14+ days", after a preposition. Nothing has no plus. */
    durationOrMore: (ms: number) =>
      ms < secondMs ? durationAfter(ms) : durationAfter(ms).replace(/\p{Nd}(?!.*\p{Nd})/u, '$&+'),
    /** "+1.5 days": the sign comes before the words. */
    signedDuration: (ms: number) =>
      ms === 0 ? t('no change') : `${ms > 0 ? '+' : '−'}${duration(Math.abs(ms))}`,
    /** How long ago an instant was, in words; future instants are "now". */
    ago(instant: string): string {
      const ms = now - Date.parse(instant)
      return ms < 45 * secondMs
        ? t('just now')
        : t('{duration} ago', { duration: durationAfter(Math.max(ms, minuteMs)) })
    },
    /** Takes an instant or epoch ms. */
    instant: (instant: string | number) => moment.format(new Date(instant)),
    /** The day of an instant, with its year unless it is the current one. */
    instantDay: dayIn(timeZone),
    /** The same of a due date. It never depends on the zone of the reader. */
    dueDay: dayIn(dueZone),
    instantTime: (instant: string) => clock.format(Date.parse(instant)),
    /** A calendar date, YYYY-MM-DD. */
    day: (day: string) => calendarDay.format(Date.parse(day)),
    dayYear: (day: string) => calendarDayYear.format(Date.parse(day)),
    /** "Fri 20 Nov". */
    weekday: (day: string) => calendarWeekday.format(Date.parse(day)),
    /** "Mon 16 Nov – Sun 22 Nov": the days from an instant to just before another, in epoch ms. */
    days: (from: number, to: number) => weekdays.formatRange(from, Math.max(from, to - 1)),
    /** "Monday": 1 to 7, from Monday. */
    weekdayName: (number: number) => calendarWeekdayName.format(Date.UTC(2024, 0, number)),
    month: (day: string) => calendarMonth.format(Date.parse(day)),
  }
}

function minus(text: string): string {
  return text.replace('-', '−')
}

function percentFormat(locale: string, digits: number): Intl.NumberFormat {
  return makeOnce(Intl.NumberFormat, locale, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** With a capital letter, as at the start of a line. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "1 assignment", "1,204 assignments". */
export function counted(format: Format, n: number, noun: Noun): string {
  return countedIn(noun, n, format.count(n))
}
