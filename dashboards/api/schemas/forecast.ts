import { z } from 'zod'
import { calendarDate, count, frame, share } from '../../../schemas/answers/values.ts'

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
