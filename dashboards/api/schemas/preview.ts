import { z } from 'zod'
import { scopeFacts } from '../../../schemas/metrics/scope.ts'
import type { Preview } from '../../../reporting/queries/preview.ts'
import { count, effectiveStatus, frame } from './values.ts'

const settings = z.object({ due_zone: frame.due_zone, due_end: frame.due_end })

const preview = z.object({
  changed: count.meta({ description: 'Assignments with another effective status or another fact' }),
  transitions: z
    .array(
      z.object({
        from: effectiveStatus,
        to: effectiveStatus,
        n: count,
        assignment_ids: z.array(z.string()).meta({ description: 'Up to twenty of them' }),
      }),
    )
    .meta({ description: 'By effective status, those that change only' }),
  facts: z.array(z.object({ fact: z.enum(scopeFacts), gained: count, lost: count })),
}) satisfies z.ZodType<Preview>

export const previewAnswer = z
  .object({ as_of: frame.as_of, time_zone: frame.time_zone, from: settings, to: settings, ...preview.shape })
  .meta({ id: 'PreviewAnswer' })
