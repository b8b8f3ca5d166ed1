import { z } from 'zod'
import { factBits, type Fact } from '../../../schemas/metrics/facts.ts'
import { type Change } from '../../../reporting/queries/changes.ts'
import { metricKey, metrics, metricsAnswer } from './metrics.ts'
import { count, instant } from '../../../schemas/answers/values.ts'
import { changeCauses, changeKinds } from '../../../reporting/metrics/changes.ts'

const { metrics: _, as_of: __, ...frame } = metricsAnswer.shape
const side = z.object({
  in_scope: z.boolean(),
  facts: z.array(z.enum(Object.keys(factBits) as [Fact, ...Fact[]])).meta({ description: 'Every fact that held' }),
  grade: z.number().nullable().meta({ description: 'The final grade; null = not graded yet, or unknown' }),
  due_date: instant.nullable(),
})

const change = z.object({
  assignment_id: z.string(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  challenge_id: z.string().nullable(),
  challenge: z.string().nullable(),
  before: side,
  after: side,
  kinds: z.array(z.enum(changeKinds)).meta({
    description:
      'In what ways it changed. `assigned`: it was added between the moments, whenever it was created; `other` stands alone',
  }),
  reasons: z.array(z.object({ kind: z.enum(changeKinds), causes: z.array(z.enum(changeCauses)) })).meta({
    description:
      'Why, for each kind. event: it would have changed without time passing; time: a due date or its creation has passed; people: its person left, came back or moved. Only `other` may have several causes',
  }),
  causes: z.array(z.enum(changeCauses)).meta({ description: 'The causes of all its kinds' }),
  changed_at: instant.nullable().meta({
    description: 'When the last event that changed it came, or its due date where that has passed; null = neither',
  }),
  events: z
    .array(z.object({ event_id: z.string(), event_type: z.string(), at: instant, received_at: instant }))
    .meta({ description: 'Its events after the first moment and up to the second, in event order' }),
}) satisfies z.ZodType<Change>

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
    assignments: z.array(change),
  })
  .meta({ id: 'ChangesAnswer' })
