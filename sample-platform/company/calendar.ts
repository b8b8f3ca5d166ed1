/** The company's clock: its zone, its working hours and its weekends. Offsets are looked up once per quarter hour. */
import { between, chance, draw, type Random } from '../random.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const opensMs = 8.5 * hourMs
const closesMs = 18 * hourMs
/** Offsets only change on quarter hours, in every zone since 1972. */
const offsetStepMs = 15 * minuteMs

export type Calendar = ReturnType<typeof createCalendar>

export function createCalendar(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsets = new Map<number, number>()

  function toOffset(ms: number): number {
    const step = Math.floor(ms / offsetStepMs)
    const earlier = offsets.get(step)
    if (earlier !== undefined) return earlier
    const at = step * offsetStepMs
    const part: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - at
    offsets.set(step, offset)
    return offset
  }

  /** Days since 1970-01-01 of the local calendar. */
  const toDay = (ms: number) => Math.floor((ms + toOffset(ms)) / dayMs)
  // 1970-01-01 was a Thursday.
  const weekdayOf = (day: number) => (day + 3) % 7

  /** The instant at which a local day has lasted this long. */
  function toInstant(day: number, msOfDay: number): number {
    const local = day * dayMs + msOfDay
    const guess = local - toOffset(local)
    return local - toOffset(guess)
  }

  return {
    timeZone,
    toDay,
    toInstant,
    /** 0 = Monday ... 6 = Sunday, in the zone. */
    toWeekday: (ms: number) => weekdayOf(toDay(ms)),
    /** The last millisecond of the local day this many days later. */
    endOfDay: (ms: number, daysLater: number) => toInstant(toDay(ms) + daysLater + 1, 0) - 1,
    /** The same instant if people work then; else one in the next working day. A few people work at night. */
    toWorkingInstant(ms: number, random: Random): number {
      const day = toDay(ms)
      const msOfDay = ms + toOffset(ms) - day * dayMs
      const weekend = weekdayOf(day) > 4
      if (!weekend && msOfDay >= opensMs && msOfDay < closesMs) return ms
      if (chance(random, weekend ? 0.03 : 0.06)) return ms
      let next = !weekend && msOfDay < opensMs ? day : day + 1
      while (weekdayOf(next) > 4) next++
      // Mornings are a little busier, and no event falls on a full second.
      const intoDay = between(random, 0, closesMs - opensMs) * (0.6 + 0.4 * draw(random))
      return Math.max(ms + 1, Math.floor(toInstant(next, opensMs + intoDay)))
    },
  }
}

/** Events a second in a working hour, for a history of so many events over so many days: so a demo stays believable. */
export function toLiveRate(events: number, days: number): number {
  const workingHours = ((days * 5) / 7) * 8
  return Math.max(1, events) / (workingHours * 3_600)
}
