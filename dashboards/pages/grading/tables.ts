/** The figures of the Grading page as tables: the content of their CSV and XLSX links, from the same data as the screen. */
import type { Grading, QueueRow } from '../../../reporting/queries/grading.ts'
import { toFields, toTable, type Cell } from '../../../reporting/exports/csv.ts'

export const gradingTables = {
  waiting: ({ by_age }) => toTable({ waiting_days: ({ age }) => age, count: ({ count }) => count }, by_age),
  reviews: ({ by_review }) => toFields(['state', 'count'], by_review),
  turnaround: ({ turnaround }) => toFields(['period_start', 'n', 'p50_ms', 'p90_ms'], turnaround),
  backlog: ({ backlog }) => toFields(['period_start', 'waiting_at_end'], backlog),
  'by-challenge': ({ by_challenge }) =>
    toTable(
      {
        challenge_id: ({ id }) => id,
        challenge: ({ name }) => name,
        waiting: ({ waiting }) => waiting,
        oldest_ms: ({ oldest_ms }) => oldest_ms,
        turnaround_p50_ms: ({ turnaround }) => turnaround.p50_ms,
        turnaround_n: ({ turnaround }) => turnaround.n,
        grade_median: ({ grade }) => grade.median,
        grade_n: ({ grade }) => grade.n,
      },
      by_challenge,
    ),
} satisfies Record<string, (grading: Grading) => Cell[][]>
export type GradingTable = keyof typeof gradingTables

/** `graded`: whether these were graded, instead of waiting; waiting work may have been graded before. */
export function queueRows(rows: readonly QueueRow[], asOf: number, graded: boolean): Cell[][] {
  return toTable(
    {
      assignment_id: (row) => row.assignment_id,
      user_id: (row) => row.user_id,
      user_name: (row) => row.user_name,
      challenge_id: (row) => row.challenge_id,
      challenge: (row) => row.challenge,
      first_seen_submitted: (row) => row.submitted_at,
      first_seen_graded: (row) => row.graded_at,
      waited_ms: ({ graded_at: at, submitted_at }) =>
        (graded && at !== null ? Date.parse(at) : asOf) - Date.parse(submitted_at),
      reviewers_due_date: (row) => row.reviewers_due_at,
      reviewer_overdue: (row) => String(row.review_overdue),
    },
    rows,
  )
}
