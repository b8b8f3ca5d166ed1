import { hash } from 'node:crypto'
import { z } from 'zod'

/** A row of `assignment-events.sql`. Times are epoch ms, 0 = unknown. */
export const assignmentEventSchema = z.object({
  event_id: z.string(),
  event_type: z.string(),
  /** Created 1, Progress 2, Completed 3, Deleted 4. */
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

/** The key by which the store orders events: the first 64 bits of SHA-256 of the assignment id, as decimal text. */
export function toAkey(assignmentId: string): string {
  return BigInt(`0x${hash('sha256', assignmentId, 'hex').slice(0, 16)}`).toString()
}
