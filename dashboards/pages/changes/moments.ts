/** Between which moments the page of changes looks: a preset, or any two. */
import { t } from '../../../language/translate.ts'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { toInstant } from '../../../reporting/scope/instants.ts'
import { toKeyNotices, unknownValue } from '../../scope/parse-page.ts'
import {
  addDays,
  toDaysBefore,
  toLocalDate,
  toPeriodStart,
  toStartOfDay,
} from '../../../schemas/metrics/calendar.ts'

export const sinces = ['monday', 'week', 'visit'] as const
export type Since = (typeof sinces)[number]

export type Moments = {
  /** `null`: two moments of the reader's own. */
  since: Since | null
  from: number
  to: number
  /** When the reader was here before; `null`: never, or the browser keeps no cookie. */
  visit: number | null
  notices: string[]
}

const cookie = 'rollcall_visits'
/** Pages within this time are one visit. */
const visitMs = 30 * 60_000
const keptSeconds = 400 * 86_400

/** Notes the visit: the cookie holds two times, those of this visit and of the one before, and nothing else. */
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

export function readMoments(
  query: URLSearchParams,
  { timeZone, now, visit }: { timeZone: string; now: number; visit: number | null },
): Moments {
  const notices: string[] = []
  const at = (key: 'from' | 'to') => {
    const text = query.get(key) ?? ''
    const instant = text === '' ? undefined : toInstant(text, timeZone, now)
    if (text !== '' && instant === undefined) notices.push(unknownValue(key, text))
    return instant
  }
  const to = at('to') ?? now
  const from = at('from')
  if (from !== undefined && from <= to) return { since: null, from, to, visit, notices }
  if (from !== undefined) notices.push(t('The first moment is after the second, so it was ignored.'))
  const given = sinces.find((each) => each === query.get('since'))
  notices.push(...toKeyNotices(query, { since: given }))
  const choice = given ?? 'monday'
  if (choice === 'visit' && visit === null)
    notices.push(t('This browser has not been here before, so this is what changed since Monday.'))
  const since = choice === 'visit' && visit === null ? 'monday' : choice
  const starts: Record<Since, number> = {
    monday: toMonday(timeZone, to),
    week: toDaysBefore(timeZone, to, 7),
    visit: visit ?? to,
  }
  return { since, from: Math.min(starts[since], to), to, visit, notices }
}

/** The beginning of the week of an instant; on a Monday that of the week before, of which nothing was seen yet. */
export function toMonday(timeZone: string, instant: number): number {
  const today = toLocalDate(timeZone, instant)
  const monday = toPeriodStart('week', today)
  return toStartOfDay(timeZone, monday === today ? addDays(monday, -7) : monday)
}
