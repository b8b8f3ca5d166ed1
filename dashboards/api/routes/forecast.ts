import type { Hono } from 'hono'
import { addDays, toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { coverage, fewestMoments, fewestThen as fewestCompleted } from '../../../reporting/forecast/calibrate.ts'
import { toCompleted, toForecast } from '../../../reporting/forecast/forecast.ts'
import { toDaysUntil, toPast } from '../../../reporting/queries/read-forecast.ts'
import { askScope, createOwnParameters, refuse, toParams, type ApiContext } from '../api-context.ts'
import { toCalendarDate } from '../../../reporting/scope/instants.ts'
import { z } from 'zod'
import { calendarDate, count, frame, share } from '../../../schemas/answers/values.ts'

const method =
  'Of each open assignment the chance to be completed by the date comes from how often assignments of that age, with as many days left until they are ' +
  'due, were completed on a day. The interval is as wide as it had to be to hold nine of ten outcomes at past moments of comparable assignments, a week ' +
  `apart, each forecast with what was known then; with fewer than ${fewestMoments} such moments there is none.`

/** Each day costs, and what is learned of the past says nothing of the years after. */
const mostDays = 5 * 365

/** `/forecast`: the expected completion by a date, and who most likely closes the gap to a target. */
export function mountForecast(app: Hono, context: ApiContext): void {
  const { queries } = context

  app.get('/forecast', async (c) => {
    const { scope, problems } = askScope(c, context, ['by', 'target'])
    const { pick, need, problems: others } = createOwnParameters(toParams(c))
    const by = pick('by', toCalendarDate, 'a calendar date like 2026-03-31')
    need('by', by, 'a calendar date')
    const target = pick('target', toTarget, 'a share from 0 to 1') ?? 0.9
    if (scope !== undefined && by !== undefined) {
      const today = toLocalDate(scope.timeZone, scope.asOf)
      if (by < today) others.push({ parameter: 'by', message: 'must not be before the moment' })
      const last = addDays(today, mostDays)
      if (by > last)
        others.push({ parameter: 'by', message: `must be ${last} at the latest, five years after the moment` })
    }
    if (scope === undefined || by === undefined || others.length > 0) return refuse(c, [...problems, ...others])
    const days = toDaysUntil(scope, by)
    const [waits, past] = await Promise.all([queries.waits(scope), queries.pastWaits(toPast(scope))])
    const forecast = toForecast(waits, past, { days: [days], target })
    const isKnown = forecast.kind === 'forecast'
    return c.json({
      as_of: new Date(scope.asOf).toISOString(),
      time_zone: scope.timeZone,
      by,
      days,
      target,
      completed_now: waits.completed,
      assigned: waits.assigned,
      expected: isKnown ? forecast.expected : null,
      reason: isKnown ? null : forecast.reason,
      needed: isKnown ? forecast.needed : null,
      likeliest: isKnown ? forecast.likeliest : [],
      method,
      coverage,
      held: isKnown ? forecast.calibration : null,
      rests_on: {
        completed: toCompleted(past),
        still_open: past.born.length - toCompleted(past),
        fewest_completed: fewestCompleted,
        beyond_curve: isKnown ? forecast.beyond_curve : null,
      },
    })
  })
}

function toTarget(text: string): number | undefined {
  return /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text) ? Number(text) : undefined
}

export const forecastAnswer = z
  .object({
    as_of: frame.as_of,
    time_zone: frame.time_zone,
    by: calendarDate,
    days: count.meta({ description: 'Whole days from the moment to the end of that date' }),
    target: share,
    completed_now: count,
    assigned: count,
    expected: z.object({ value: share, low: share.nullable(), high: share.nullable() }).nullable().meta({
      description:
        'Share completed by then, and its interval, which is null where it cannot be calibrated yet; null where there is too little to say so',
    }),
    reason: z.enum(['nothing_assigned', 'too_few_completed', 'beyond_curve']).nullable(),
    needed: count.nullable().meta({ description: 'How many more completions reach the target' }),
    likeliest: z
      .array(z.object({ assignment_id: z.string(), chance: share }))
      .meta({ description: 'As many open ones as are needed, likeliest first; at most 100' }),
    method: z.string(),
    coverage: share.meta({ description: 'The share of outcomes that the interval is made to hold' }),
    held: z.object({ moments: count, held: count }).nullable().meta({
      description: 'At how many past moments the interval would have held, of those looked at; null: they are too few',
    }),
    rests_on: z.object({
      completed: count,
      still_open: count,
      fewest_completed: count,
      beyond_curve: count
        .nullable()
        .meta({ description: 'Open for longer than anything known: taken as not to be completed' }),
    }),
  })
  .meta({ id: 'ForecastAnswer' })
