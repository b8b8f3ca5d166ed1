import { z } from 'zod'
import { guideMetricDefinitions, type GuideMetrics } from '../metrics/guide-metrics.ts'
import { count, frame, instant } from './values.ts'

const described = Object.fromEntries(
  Object.entries(guideMetricDefinitions).map(([key, { title, definition, shape }]) => [
    key,
    shape.meta({ title, description: definition }),
  ]),
) as unknown as { [Key in keyof GuideMetrics]: z.ZodType<GuideMetrics[Key]> }

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
    by_guide: z.array(z.object({ guide_id: z.string(), guide: z.string().nullable(), ...described })),
    by_team: z
      .array(z.object({ team_id: z.string().nullable(), team: z.string().nullable(), ...described }))
      .meta({ description: 'Someone in two teams counts in both; null: in none' }),
  })
  .meta({ id: 'GuidesAnswer' })
export type GuidesAnswer = z.infer<typeof guidesAnswer>
