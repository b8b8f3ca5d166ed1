/** When a digest is due: on a day and from an hour on, in the zone of the person. */
import { Cron } from 'croner'
import { addDays, toLocalDate, toPeriodStart, toStartOfDay } from '../schemas/metrics/calendar.ts'

export const frequencies = ['daily', 'weekly'] as const
export type Frequency = (typeof frequencies)[number]

export type Schedule = {
  frequency: Frequency
  /** Weekday of a weekly digest: 1 = Monday to 7 = Sunday. */
  weekday: number
  /** 0 to 23. */
  hour: number
  timeZone: string
}

/** `key`: the local date on which it was due. There is at most one digest for a date, also after a change of the schedule. */
export type Period = { key: string; dueAtMs: number }

const dayMs = 86_400_000
/** After an outage: how long a digest is still sent late. */
const latestMs: Record<Frequency, number> = { daily: 12 * 3_600_000, weekly: 2 * dayMs }
/** The time that the first digest looks back on. */
const lengthMs: Record<Frequency, number> = { daily: dayMs, weekly: 7 * dayMs }
/** No digest looks back further: nobody reads more. */
const longestMs = 31 * dayMs

/** The latest moment at which one was due, if it is not too late for it; `undefined`: none. */
export function toDuePeriod(schedule: Schedule, nowMs: number): Period | undefined {
  const [due] = toCron(schedule).previousRuns(1, new Date(nowMs + 1))
  if (due === undefined || nowMs - due.getTime() > latestMs[schedule.frequency]) return undefined
  return { key: toLocalDate(schedule.timeZone, due.getTime()), dueAtMs: due.getTime() }
}

export function toNextDue(schedule: Schedule, nowMs: number): number | undefined {
  return toCron(schedule).nextRun(new Date(nowMs))?.getTime()
}

/** Where a digest begins: at the end of the last one that surely arrived. */
export function toSince(frequency: Frequency, nowMs: number, coveredUntilMs?: number): number {
  return Math.max(coveredUntilMs ?? nowMs - lengthMs[frequency], nowMs - longestMs)
}

/** The last full week, Monday to Sunday, or the last full day: for a preview and a test, whenever they are asked for. */
export function toFullPeriod(
  frequency: Frequency,
  timeZone: string,
  nowMs: number,
): { since: number; until: number } {
  const today = toLocalDate(timeZone, nowMs)
  const [end, days] = frequency === 'weekly' ? [toPeriodStart('week', today), 7] : [today, 1]
  return { since: toStartOfDay(timeZone, addDays(end, -days)), until: toStartOfDay(timeZone, end) }
}

function toCron({ frequency, weekday, hour, timeZone }: Schedule): Cron {
  const pattern = `0 0 ${hour} * * ${frequency === 'weekly' ? weekday % 7 : '*'}`
  return new Cron(pattern, { timezone: timeZone, paused: true })
}
