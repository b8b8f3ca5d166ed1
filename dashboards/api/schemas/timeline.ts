import { z } from 'zod'
import { timeline } from '../../../schemas/answers/timeline.ts'
import { assignmentRow } from './assignments.ts'
import { frame } from '../../../schemas/answers/values.ts'

export const timelineAnswer = z
  .object({
    ...frame,
    assignment_id: z.string(),
    state: assignmentRow
      .nullable()
      .meta({ description: 'null where it was deleted, or not created yet, at the moment' }),
    ...timeline.shape,
  })
  .meta({ id: 'TimelineAnswer' })
