/** The forecast of a scope through the next weeks, as pages show it. */
import { createScope } from '../scope/parse-scope.ts'
import { addDays, toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Queries } from './queries.ts'
import { toForecast, type Forecast, type Share } from '../forecast/forecast.ts'

/** Days are calendar dates of the reporting zone; a share is that at the end of the day. */
export type ForecastPoint = Share & { day: string }

export type ForecastView = {
  forecast: Forecast
  /** From the day of the moment on, a week apart; empty where there is too little data. */
  points: ForecastPoint[]
  /** Completed and all, at the moment. */
  completed: number
  assigned: number
  by: string
  target: number | null
}

const dayMs = 86_400_000
const weeks = 12

/** Two statements: those of the scope, and comparable ones of the past. `target`: share of all assigned, 0..1. Default: none. */
export async function readForecast(
  queries: Pick<Queries, 'waits' | 'pastWaits'>,
  scope: Scope,
  target: number | null = null,
): Promise<ForecastView> {
  const [waits, past] = await Promise.all([queries.waits(scope), queries.pastWaits(toPast(scope))])
  const today = toLocalDate(scope.timeZone, scope.asOf)
  const dates = Array.from({ length: weeks + 1 }, (_, week) => addDays(today, 7 * week))
  const days = dates.map((date) => toDaysUntil(scope, date))
  const forecast = toForecast(waits, past, { days, target })
  const curve = forecast.kind === 'forecast' ? forecast.points : []
  return {
    forecast,
    points: curve.map((share, index) => ({ ...share, day: dates[index] ?? today })),
    completed: waits.completed,
    assigned: waits.assigned,
    by: dates.at(-1) ?? today,
    target,
  }
}

/** Whole days from the moment to the end of a date. */
export function toDaysUntil({ timeZone, asOf }: Scope, date: string): number {
  return Math.max(0, Math.floor((toStartOfDay(timeZone, addDays(date, 1)) - asOf) / dayMs))
}

/**
 * The comparable assignments: all of the same challenges, teams and attributes that were known at the moment, of any time and person.
 */
export function toPast(scope: Scope): Scope {
  const { asOf, now, period, dueSoonDays, challenge, team, attribute, without } = scope
  const same = { asOf, period, dueSoonDays, challenge, team, attribute, ...(without && { without }) }
  return { ...createScope(now, scope), ...same, includeLeavers: true }
}
