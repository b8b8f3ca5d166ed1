/** The story of one assignment: its lives, events and regrades. */
import { z } from 'zod'
import { count, instant } from './values.ts'

const flag = z.boolean().nullable()

export const timeline = z.object({
  lives: z.array(
    z.object({
      life: count,
      began_at: instant,
      ended_at: instant.nullable().meta({ description: 'When it was deleted; null where it was not' }),
      events: count,
    }),
  ),
  events: z
    .array(
      z.object({
        event_id: z.string(),
        event_type: z.string(),
        at: instant,
        received_at: instant,
        life: count,
        status: z.string().nullable(),
        is_completed: flag,
        is_submitted: flag,
        is_partially_graded: flag,
        is_fully_graded: flag,
        passed: flag,
        calculated_grade: z.number().nullable(),
        completion_percentage: z.number().nullable(),
        due_date: instant.nullable(),
      }),
    )
    .meta({
      description:
        'What was said of it up to the moment, in event order: the last 200, or those before `before`',
    }),
  regrades: z
    .array(
      z.object({
        event_id: z.string(),
        at: instant,
        grade_from: z.number().nullable(),
        grade_to: z.number().nullable(),
        passed_from: z.boolean(),
        passed_to: z.boolean(),
      }),
    )
    .meta({
      description: 'Grade changes and pass flips between consecutive graded events of the current life',
    }),
})
export type Timeline = z.infer<typeof timeline>
export type TimelineEvent = Timeline['events'][number]
