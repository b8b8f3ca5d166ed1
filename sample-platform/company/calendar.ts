/** The company's clock: one hour ahead of UTC all year. People work from Monday to Friday. */
import { between, chance, draw, type Random } from '../random.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const aheadMs = hourMs
const opensMs = 8.5 * hourMs
const closesMs = 18 * hourMs

/** Days since 1970-01-01 of the local calendar. */
export const toDay = (ms: number) => Math.floor((ms + aheadMs) / dayMs)

/** 0 = Monday ... 6 = Sunday: 1970-01-01 was a Thursday. */
export const toWeekday = (day: number) => (day + 3) % 7

export const toInstant = (day: number, msOfDay: number) => day * dayMs + msOfDay - aheadMs

/** The last millisecond of the local day this many days later. */
export const endOfDay = (ms: number, daysLater = 0) => toInstant(toDay(ms) + daysLater + 1, 0) - 1

/** The same instant in working hours, else one in the next working day. A few people work at night. */
export function atWork(ms: number, random: Random): number {
  const day = toDay(ms)
  const msOfDay = ms - toInstant(day, 0)
  const isWeekend = toWeekday(day) > 4
  if (!isWeekend && msOfDay >= opensMs && msOfDay < closesMs) return Math.floor(ms)
  if (chance(random, isWeekend ? 0.03 : 0.06)) return Math.floor(ms)
  let next = !isWeekend && msOfDay < opensMs ? day : day + 1
  while (toWeekday(next) > 4) next++
  // Mornings are a little busier.
  return Math.floor(
    toInstant(next, opensMs + between(random, 0, closesMs - opensMs) * (0.6 + 0.4 * draw(random))),
  )
}

/** Events a second in a working hour, for a history of so many events over so many days: so a demo stays believable. */
export function toLiveRate(events: number, days: number): number {
  const workingHours = ((days * 5) / 7) * 8
  return Math.max(1, events) / (workingHours * 3_600)
}
