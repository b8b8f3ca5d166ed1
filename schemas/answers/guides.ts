import { z } from 'zod'
import { guideMetricDefinitions, type GuideMetrics } from '../metrics/guide-metrics.ts'
import { count, frame, instant, rate } from './values.ts'

const shapes = {
  assigned: z.object({ value: count }),
  completed: z.object({ value: count }),
  overdue: z.object({ value: count }),
  completion_rate: rate(),
  on_time_rate: rate('no_due_date', 'no_completion_time', 'not_due_yet'),
} satisfies { [Key in keyof GuideMetrics]: z.ZodType<GuideMetrics[Key]> }

const described = Object.fromEntries(
  Object.entries(shapes).map(([key, shape]) => {
    const { title, definition } = guideMetricDefinitions[key as keyof GuideMetrics]
    return [key, shape.meta({ title, description: definition })]
  }),
) as typeof shapes

const { as_of, due_zone, due_end } = frame
const pulledAt = instant.nullable()

export const guidesAnswer = z
  .object({
    as_of,
    due_zone,
    due_end,
    sample: z.boolean().meta({ description: 'Whether this is sample data: people and numbers are made up' }),
    pulled: z
      .object({ guides: pulledAt, assignments: pulledAt, changes: pulledAt })
      .meta({ description: 'When the platform was last read to the end; null: never' }),
    metrics: z.object(described).meta({ description: 'Archived and deleted assignments are not counted' }),
    unseen: count.meta({ description: 'Assignments that the last full pull did not see; they count' }),
    by_guide: z.array(z.object({ guide_id: z.string(), guide: z.string().nullable(), ...shapes })),
    by_team: z
      .array(z.object({ team_id: z.string().nullable(), team: z.string().nullable(), ...shapes }))
      .meta({ description: 'Someone in two teams counts in both; null: in none' }),
  })
  .meta({ id: 'GuidesAnswer' })
export type GuidesAnswer = z.infer<typeof guidesAnswer>
