import { z } from 'zod'
import { metricKey, metrics, metricsAnswer } from './metrics.ts'
import { count } from '../../../schemas/answers/values.ts'

const { metrics: _, ...frame } = metricsAnswer.shape

export const explainAnswer = z
  .object({
    ...frame,
    metric: metricKey,
    title: z.string(),
    kind: z.enum(['count', 'rate', 'duration', 'list', 'object']),
    definition: z.string(),
    formula: z.string(),
    value: z.union(Object.values(metrics.shape)).meta({ description: 'As in /api/metrics' }),
    sql: z
      .string()
      .meta({ description: 'As an analyst would write it against the documented views; runs as it stands' }),
    parts: z
      .array(
        z.object({
          part: z.string().meta({ examples: ['numerator', 'denominator', 'excluded.no_due_date'] }),
          count: count.meta({ description: 'Assignments' }),
          rows: z.string().meta({ description: 'Address of exactly these rows' }),
        }),
      )
      .meta({
        description:
          'Empty where a metric is not made of assignments that one address can name: people, cohorts, trend',
      }),
  })
  .meta({ id: 'ExplainAnswer' })
