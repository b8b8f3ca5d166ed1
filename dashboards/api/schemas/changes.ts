import { z } from 'zod'
import { changeSchema } from '../../../reporting/queries/changes.ts'
import { metricKey, metrics, metricsAnswer } from './metrics.ts'
import { count, instant } from '../../../schemas/answers/values.ts'

const { metrics: _, as_of: __, ...frame } = metricsAnswer.shape

export const changesAnswer = z
  .object({
    from: instant,
    to: instant,
    ...frame,
    metrics: z.object({ from: metrics, to: metrics }),
    parts: z.array(z.object({ metric: metricKey, part: z.string(), from: count, to: count, difference: count })).meta({
      description: 'The differences of the assignments below add up to these',
    }),
    total: count,
    next: z.string().nullable(),
    assignments: z.array(changeSchema),
  })
  .meta({ id: 'ChangesAnswer' })
