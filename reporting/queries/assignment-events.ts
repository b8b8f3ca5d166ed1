import { z } from 'zod'

/** A row of `events-of.sql`. Times are epoch ms, 0 = unknown. */
export const assignmentEventSchema = z.object({
  assignment_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  /** Of `eventRanks`. */
  rank: z.number(),
  at: z.number(),
  received_at: z.number(),
  status: z.string(),
  flags_known: z.number(),
  flags_true: z.number(),
  grade: z.number().nullable(),
  completion_percentage: z.number().nullable(),
  due_date: z.number(),
})
export type AssignmentEvent = z.infer<typeof assignmentEventSchema>
