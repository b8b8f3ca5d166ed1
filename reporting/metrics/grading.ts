/** The queue of work that waits for a grade, by how long and by whose due date, and the questions about it. */
import { z } from 'zod'
import { flagSchema } from '../../schemas/instant.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'

/** Whole days since handed in, both ends inclusive. */
export const waitingAges = {
  '0': [0, 0],
  '1-2': [1, 2],
  '3-6': [3, 6],
  '7-13': [7, 13],
  '14-29': [14, 29],
  '30+': [30, 1_000_000],
} as const
export type WaitingAge = keyof typeof waitingAges

/** By the reviewers' due date: passed, within `due_soon_days`, later, or none. */
export const reviewStates = ['overdue', 'soon', 'later', 'none'] as const
export type ReviewState = (typeof reviewStates)[number]

/** `median`: of grades; `highest`: of ages, ms. */
export const gradingCountSchema = z.object({
  kind: z.enum(['challenge', 'period', 'grade', 'waiting', 'age', 'review']),
  id: z.string(),
  n: z.number(),
  censored: z.number(),
  highest: z.number(),
  median: z.number(),
  p50_ms: z.number().nullable(),
  p90_ms: z.number().nullable(),
})
export type GradingCount = z.infer<typeof gradingCountSchema>

export type QueueArgs = { scope: Scope; under: readonly string[] } & {
  after: { submittedAt: string; assignmentId: string } | null
  limit: number
  /** Work that awaits a grade, so long and so due; or was first graded in a period of dates, where it is known how long that took. */
  of: { age?: WaitingAge | undefined; review?: ReviewState | undefined } | { gradedFrom: string; gradedTo: string }
}

/** Times are epoch ms, 0 = unknown. */
export const queuedSchema = z.object({
  assignment_id: z.string(),
  user_id: z.string(),
  challenge_id: z.string(),
  submitted_at: z.number(),
  graded_at: z.number(),
  reviewers_due_at: z.number(),
  is_review_overdue: flagSchema,
  is_partly_graded: flagSchema,
  is_submission_known: flagSchema,
})
export type Queued = z.infer<typeof queuedSchema>
