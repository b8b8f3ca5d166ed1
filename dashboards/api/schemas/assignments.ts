import { z } from 'zod'
import { agingBuckets } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../reporting/queries/assignment-row.ts'
import { calendarDate, count, effectiveStatus, frame, instant } from './values.ts'

const text = z.string()
const flag = z.boolean()
const moment = instant.nullable()
const reported = flag.nullable()

export const assignmentRow = z
  .object({
    assignment_id: text,
    challenge_id: text.nullable(),
    challenge: text.nullable(),
    user_id: text.nullable(),
    user_name: text.nullable(),
    team_ids: z.array(text),
    teams: z.array(text),
    manager_ids: z.array(text),
    managers: z.array(text),
    effective_status: effectiveStatus,
    created_at: instant,
    created_at_assumed: flag,
    due_date: moment,
    due_day: calendarDate.nullable(),
    first_due_date: moment,
    deadline_moved: flag,
    first_viewed_at: moment,
    last_viewed_at: moment,
    first_seen_submitted: moment,
    first_seen_graded: moment,
    completed_at: moment,
    reviewers_due_date: moment,
    updated_at: moment,
    calculated_grade: z.number().nullable(),
    calculated_grade_as_sent: z.number().nullable(),
    completion_percentage: z.number().nullable(),
    completed: flag,
    failed: flag,
    viewed: flag,
    started: flag,
    submitted: flag,
    graded: flag,
    partially_graded: flag,
    passed: flag,
    awaiting_grading: flag,
    waiting_since: moment,
    open: flag,
    overdue: flag,
    days_overdue: count.nullable(),
    aging_bucket: z.enum(agingBuckets).nullable(),
    reviewer_overdue: flag,
    due_soon: flag,
    completed_on_time: flag,
    reported_mismatch: flag,
    status: text.nullable(),
    is_completed_on_time: reported,
    is_overdue: reported,
    num_days_overdue: z.number().nullable(),
    life: count,
  })
  .meta({
    id: 'Assignment',
    description: 'One assignment at the moment, a field per fact of METRICS.md',
  }) satisfies z.ZodType<AssignmentRow>

export const assignmentsAnswer = z
  .object({
    ...frame,
    sample: flag.meta({ description: 'Whether this is sample data: people and numbers are made up' }),
    total: count.nullable(),
    next: text.nullable().meta({ description: 'Address of the next page, as of the same moment' }),
    assignments: z.array(assignmentRow),
  })
  .meta({ id: 'AssignmentsAnswer' })
