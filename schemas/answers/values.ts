/** Shapes that many answers share. */
import { z } from 'zod'
import { periods, type Rate } from '../metrics/answer.ts'

export const instant = z
  .string()
  .meta({ id: 'Instant', format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
export const calendarDate = z.string().meta({ id: 'CalendarDate', format: 'date', description: 'YYYY-MM-DD' })
export const count = z.int()
export const share = z.number().min(0).max(1)

/** The zones and settings that an answer was computed with. */
export const frame = {
  as_of: instant,
  time_zone: z.string(),
  due_zone: z.string(),
  due_end: z.enum(['end_of_day', 'instant']),
}
export const period = z.enum(periods)

export function rate<Reason extends string>(...reasons: Reason[]): z.ZodType<Rate<Reason>> {
  const excluded = z.object(Object.fromEntries(reasons.map((reason) => [reason, count])))
  return z.object({
    value: share.nullable().meta({ description: '0..1; null where the denominator is 0: no data' }),
    numerator: count,
    denominator: count,
    // The compiler loses the names of the reasons on the way.
    excluded: excluded as unknown as z.ZodType<Record<Reason, number>>,
  })
}
