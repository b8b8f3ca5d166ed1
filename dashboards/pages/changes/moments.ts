/** Since when the page of changes looks: a preset, or a moment. Up to when: the moment of all pages. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { toInstant } from '../../../reporting/scope/instants.ts'
import {
  addDays,
  toDaysBefore,
  toLocalDate,
  toPeriodStart,
  toStartOfDay,
} from '../../../schemas/metrics/calendar.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'

const cookie = 'rollcall_visits'
/** Pages within this time are one visit. */
const visitMs = 30 * 60_000
const keptSeconds = 400 * 86_400

/** Notes the visit: the cookie holds two times, those of this visit and of the one before, and nothing else. `null`: the first visit. */
export function readVisit(c: Context, now: number): number | null {
  const [last = 0, before = 0] = (getCookie(c, cookie) ?? '')
    .split('.')
    .map((text) => (/^\d{1,14}$/.test(text) ? Number(text) : 0))
  const isNew = now - last > visitMs
  const previous = isNew ? last : before
  setCookie(c, cookie, `${now}.${previous}`, {
    path: '/changes',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: keptSeconds,
  })
  return previous > 0 && previous < now ? previous : null
}

/** `monday`, `week`, a date or an instant. */
export function readFrom(text: string): string | undefined {
  return ['monday', 'week'].includes(text) || toInstant(text, 'UTC', 0) !== undefined ? text : undefined
}

/** `undefined`: it is after the moment of the scope. */
export function toStart(from: string, { timeZone, asOf, now }: Scope): number | undefined {
  if (from === 'monday') return toMonday(timeZone, asOf)
  const start = from === 'week' ? toDaysBefore(timeZone, asOf, 7) : toInstant(from, timeZone, now)
  return start !== undefined && start <= asOf ? start : undefined
}

/** The beginning of the week of an instant; on a Monday that of the week before, of which nothing was seen yet. */
export function toMonday(timeZone: string, instant: number): number {
  const today = toLocalDate(timeZone, instant)
  const monday = toPeriodStart('week', today)
  return toStartOfDay(timeZone, monday === today ? addDays(monday, -7) : monday)
}
