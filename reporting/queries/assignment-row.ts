/** One assignment as `/api/assignments` gives it: a column per fact, named as in METRICS.md, in the order of the CSV. */
import { z } from 'zod'
import {
  agingBuckets,
  effectiveStatuses,
  type AgingBucket,
  type EffectiveStatus,
} from '../../schemas/metrics/answer.ts'
import { agingFacts, toHas } from '../../schemas/metrics/facts.ts'

/** 64-bit integers come as text. */
const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)

const named = z.tuple([z.string(), z.string()])

/** What `row-people.sql` says of a person, and `all-assignments.sql` with each row. */
export const rowPersonSchema = z.object({
  user_id: z.string(),
  user_name: z.string(),
  teams: z.array(named),
  managers: z.array(named),
})
export type RowPerson = z.infer<typeof rowPersonSchema>

const contentSchema = z.object({
  assignment_id: z.string(),
  user_id: z.string(),
  challenge_id: z.string(),
  challenge: z.string(),
  status: z.string(),
  facts: z.string(),
  life: z.number(),
  times: z.tuple([integer, integer, integer, integer, integer, integer, integer, integer, integer, integer]),
  due_day: z.number(),
  days_after_due: integer,
  grade: z.number(),
  completion_percentage: z.number(),
  num_days_overdue: z.number().nullable(),
  /** What the rows are sorted by. */
  row_key: z.union([z.number(), z.string()]),
})

/** A row of `all-assignments.sql`. */
export const storedAssignmentSchema = contentSchema.extend(rowPersonSchema.shape)
type StoredAssignment = z.infer<typeof storedAssignmentSchema>

/** A row of `assignments.sql`. */
export const takenAssignmentSchema = contentSchema.extend({
  /** How often the row holds; not more than 0: it was taken back. */
  copies: integer,
  /** Of how many signed rows it was made. */
  taken: integer,
  /** All rows, those from here on in the direction of the page, and the units that all add up to. */
  totals: z.tuple([integer, integer, integer]).nullable(),
})
export type TakenAssignment = z.infer<typeof takenAssignmentSchema>

/** Instants are ISO 8601, UTC; `null` is unknown. */
export type AssignmentRow = {
  assignment_id: string
  challenge_id: string | null
  challenge: string | null
  user_id: string | null
  user_name: string | null
  team_ids: string[]
  teams: string[]
  /** The direct managers. */
  manager_ids: string[]
  managers: string[]
  effective_status: EffectiveStatus
  created_at: string
  created_at_assumed: boolean
  due_date: string | null
  due_day: string | null
  first_due_date: string | null
  deadline_moved: boolean
  first_viewed_at: string | null
  last_viewed_at: string | null
  first_seen_submitted: string | null
  first_seen_graded: string | null
  completed_at: string | null
  reviewers_due_date: string | null
  updated_at: string | null
  /** Of graded ones. */
  calculated_grade: number | null
  calculated_grade_as_sent: number | null
  completion_percentage: number | null
  completed: boolean
  failed: boolean
  viewed: boolean
  started: boolean
  submitted: boolean
  graded: boolean
  partially_graded: boolean
  passed: boolean
  awaiting_grading: boolean
  /** First seen submitted, while it awaits grading. */
  waiting_since: string | null
  open: boolean
  overdue: boolean
  days_overdue: number | null
  aging_bucket: AgingBucket | null
  reviewer_overdue: boolean
  due_soon: boolean
  completed_on_time: boolean
  reported_mismatch: boolean
  /** As the platform sent them. */
  status: string | null
  is_completed_on_time: boolean | null
  is_overdue: boolean | null
  num_days_overdue: number | null
  life: number
}

/** The columns of the CSV, in order. */
export const assignmentColumns = [
  'assignment_id',
  'challenge_id',
  'challenge',
  'user_id',
  'user_name',
  'team_ids',
  'teams',
  'manager_ids',
  'managers',
  'effective_status',
  'created_at',
  'created_at_assumed',
  'due_date',
  'due_day',
  'first_due_date',
  'deadline_moved',
  'first_viewed_at',
  'last_viewed_at',
  'first_seen_submitted',
  'first_seen_graded',
  'completed_at',
  'reviewers_due_date',
  'updated_at',
  'calculated_grade',
  'calculated_grade_as_sent',
  'completion_percentage',
  'completed',
  'failed',
  'viewed',
  'started',
  'submitted',
  'graded',
  'partially_graded',
  'passed',
  'awaiting_grading',
  'waiting_since',
  'open',
  'overdue',
  'days_overdue',
  'aging_bucket',
  'reviewer_overdue',
  'due_soon',
  'completed_on_time',
  'reported_mismatch',
  'status',
  'is_completed_on_time',
  'is_overdue',
  'num_days_overdue',
  'life',
] as const satisfies (keyof AssignmentRow)[]
export type AssignmentColumn = (typeof assignmentColumns)[number]

export function toAssignmentRow(stored: StoredAssignment): AssignmentRow {
  const has = toHas(stored.facts)
  const [created, updated, viewed, lastViewed, completed, due, firstDue, reviewersDue, submitted, graded] = stored.times
  return {
    assignment_id: stored.assignment_id,
    challenge_id: stored.challenge_id || null,
    challenge: stored.challenge || null,
    user_id: stored.user_id || null,
    user_name: stored.user_name || null,
    team_ids: stored.teams.map(([id]) => id),
    teams: stored.teams.map(([, name]) => name),
    manager_ids: stored.managers.map(([id]) => id),
    managers: stored.managers.map(([id, name]) => name || id),
    effective_status: effectiveStatuses.find((status) => has(status)) ?? 'not_started',
    created_at: new Date(created).toISOString(),
    created_at_assumed: has('created_assumed'),
    due_date: toInstant(due),
    due_day: has('due_known') ? new Date(stored.due_day * 86_400_000).toISOString().slice(0, 10) : null,
    first_due_date: toInstant(firstDue),
    deadline_moved: has('deadline_moved'),
    first_viewed_at: toInstant(viewed),
    last_viewed_at: toInstant(lastViewed),
    first_seen_submitted: toInstant(submitted),
    first_seen_graded: toInstant(graded),
    completed_at: toInstant(completed),
    reviewers_due_date: toInstant(reviewersDue),
    updated_at: toInstant(updated),
    calculated_grade: has('graded') && has('grade_known') ? stored.grade : null,
    calculated_grade_as_sent: has('grade_known') ? stored.grade : null,
    completion_percentage:
      stored.completion_percentage === -1 && !has('percentage_minus_one') ? null : stored.completion_percentage,
    completed: has('completed'),
    failed: has('failed'),
    viewed: has('viewed'),
    started: has('started'),
    submitted: has('submitted'),
    graded: has('graded'),
    partially_graded: has('partially_graded'),
    passed: has('graded') && has('passed'),
    awaiting_grading: has('awaiting_grading'),
    waiting_since: has('awaiting_grading') ? toInstant(submitted) : null,
    open: has('open'),
    overdue: has('overdue'),
    days_overdue: has('overdue') ? stored.days_after_due : null,
    aging_bucket: agingBuckets.find((bucket) => has(agingFacts[bucket])) ?? null,
    reviewer_overdue: has('reviewer_overdue'),
    due_soon: has('due_soon'),
    completed_on_time: has('completed_on_time'),
    reported_mismatch: has('reported_mismatch'),
    status: stored.status || null,
    is_completed_on_time: has('reported_on_time_known') ? has('reported_on_time') : null,
    is_overdue: has('reported_overdue_known') ? has('reported_overdue') : null,
    num_days_overdue: stored.num_days_overdue,
    life: stored.life,
  }
}

function toInstant(epochMs: number): string | null {
  return epochMs === 0 ? null : new Date(epochMs).toISOString()
}
