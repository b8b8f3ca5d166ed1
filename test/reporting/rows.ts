/** The rows of `/api/assignments` in the model's words, so that they can be compared. */
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import type { RowCursor } from '../../reporting/scope/row-order.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { AssignmentRow as ModelRow } from '../model/model.ts'
import type { TestStore } from '../support/store/store.ts'

/** All rows of a scope, page by page, in the model's order; fails where pages are not in their own. */
export async function readAllRows(queries: Queries, scope: Scope, limit: number) {
  const rows: AssignmentRow[] = []
  let cursor: RowCursor | null = null
  let total: number | null = null
  do {
    const page = await queries.assignments(scope, { cursor, limit, withTotal: cursor === null })
    total ??= page.total
    rows.push(...page.rows)
    cursor = page.next
  } while (cursor !== null)
  const sorted = rows.toSorted(
    (a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0) || compareIds(a, b),
  )
  if (sorted.some((row, index) => row !== rows[index])) throw new Error('The pages are not newest first')
  return { rows: rows.toSorted(compareIds), total }
}

function compareIds(a: AssignmentRow, b: AssignmentRow): number {
  return a.assignment_id < b.assignment_id ? -1 : 1
}

/** The same of the analysts' view `assignments_all_as_of`, which takes no filters and has those in it who have left. */
export async function readViewRows(store: TestStore, { asOf, dueZone, dueEnd, dueSoonDays }: Scope) {
  const rows = await store.rows(
    `SELECT * FROM rollcall.assignments_all_as_of(
       as_of = {as_of:DateTime64(3, 'UTC')}, due_zone = {due_zone:String}, due_end = {due_end:String}, due_soon_days = {due_soon_days:UInt16}
     )`,
    {
      as_of: new Date(asOf).toISOString().slice(0, 23).replace('T', ' '),
      due_zone: dueZone,
      due_end: dueEnd,
      due_soon_days: dueSoonDays,
    },
  )
  return rows
    .map((row): Record<string, unknown> => {
      const known = Object.entries(row).filter(([column]) => modelColumns.has(column))
      return Object.fromEntries(known.map(([column, value]) => [column, toModelValue(value)]))
    })
    .toSorted((a, b) => (String(a['assignment_id']) < String(b['assignment_id']) ? -1 : 1))
}

const modelColumns = new Set([
  'assignment_id',
  'user_id',
  'challenge_id',
  'created_at',
  'created_at_assumed',
  'updated_at',
  'due_date',
  'due_day',
  'reviewers_due_date',
  'completed_at',
  'first_viewed_at',
  'calculated_grade',
  'calculated_grade_as_sent',
  'completion_percentage',
  'status',
  'is_completed_on_time',
  'is_overdue',
  'partially_graded',
  'viewed',
  'started',
  'completed',
  'failed',
  'submitted',
  'graded',
  'passed',
  'awaiting_grading',
  'open',
  'overdue',
  'reviewer_overdue',
  'days_overdue',
  'aging_bucket',
  'due_soon',
  'first_seen_submitted',
  'first_seen_graded',
  'completed_on_time',
  'effective_status',
  'first_due_date',
  'deadline_moved',
  'reported_mismatch',
] satisfies (keyof Omit<ModelRow, 'regrades'>)[] as string[])

/** An instant of the view is a text in UTC. */
function toModelValue(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value)
    ? Date.parse(`${value.replace(' ', 'T')}Z`)
    : value
}

/** Without the columns that the model does not know: names, and those that are only passed on. */
export function toModelRow(row: AssignmentRow): Omit<ModelRow, 'regrades'> {
  return {
    assignment_id: row.assignment_id,
    user_id: row.user_id,
    challenge_id: row.challenge_id,
    created_at: Date.parse(row.created_at),
    created_at_assumed: row.created_at_assumed,
    updated_at: toMs(row.updated_at),
    due_date: toMs(row.due_date),
    due_day: row.due_day,
    reviewers_due_date: toMs(row.reviewers_due_date),
    completed_at: toMs(row.completed_at),
    first_viewed_at: toMs(row.first_viewed_at),
    calculated_grade: row.calculated_grade,
    calculated_grade_as_sent: row.calculated_grade_as_sent,
    completion_percentage: row.completion_percentage,
    status: row.status as ModelRow['status'],
    is_completed_on_time: row.is_completed_on_time,
    is_overdue: row.is_overdue,
    partially_graded: row.partially_graded,
    viewed: row.viewed,
    started: row.started,
    completed: row.completed,
    failed: row.failed,
    submitted: row.submitted,
    graded: row.graded,
    passed: row.passed,
    awaiting_grading: row.awaiting_grading,
    open: row.open,
    overdue: row.overdue,
    reviewer_overdue: row.reviewer_overdue,
    days_overdue: row.days_overdue,
    aging_bucket: row.aging_bucket,
    due_soon: row.due_soon,
    first_seen_submitted: toMs(row.first_seen_submitted),
    first_seen_graded: toMs(row.first_seen_graded),
    completed_on_time: row.completed_on_time,
    effective_status: row.effective_status,
    first_due_date: toMs(row.first_due_date),
    deadline_moved: row.deadline_moved,
    reported_mismatch: row.reported_mismatch,
  }
}

function toMs(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant)
}
