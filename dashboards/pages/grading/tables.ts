/** The figures of the Grading page as tables: the content of their CSV and XLSX links, from the same data as the screen. */
import type { Grading, QueueRow } from '../../../reporting/queries/grading.ts'
import type { Cell } from '../../../reporting/exports/csv.ts'

export const gradingTables = ['waiting', 'reviews', 'turnaround', 'backlog', 'by-challenge'] as const
export type GradingTable = (typeof gradingTables)[number]

export function gradingRows(grading: Grading, table: GradingTable): Cell[][] {
  switch (table) {
    case 'waiting':
      return [['waiting_days', 'count'], ...grading.by_age.map(({ age, count }) => [age, count])]
    case 'reviews':
      return [['state', 'count'], ...grading.by_review.map(({ state, count }) => [state, count])]
    case 'turnaround':
      return [
        ['period_start', 'n', 'p50_ms', 'p90_ms'],
        ...grading.turnaround.map(({ period_start, n, p50_ms, p90_ms }) => [period_start, n, p50_ms, p90_ms]),
      ]
    case 'backlog':
      return [
        ['period_start', 'waiting_at_end'],
        ...grading.backlog.map(({ period_start, waiting_at_end }) => [period_start, waiting_at_end]),
      ]
    case 'by-challenge':
      return [
        [
          'challenge_id',
          'challenge',
          'waiting',
          'oldest_ms',
          'turnaround_p50_ms',
          'turnaround_n',
          'grade_median',
          'grade_n',
        ],
        ...grading.by_challenge.map(({ id, name, waiting, oldest_ms, turnaround, grade }) => [
          id,
          name,
          waiting,
          oldest_ms,
          turnaround.p50_ms,
          turnaround.n,
          grade.median,
          grade.n,
        ]),
      ]
  }
}

/** `graded`: whether these were graded, instead of waiting; what waits may have been graded before. */
export function queueRows(rows: readonly QueueRow[], asOf: number, graded: boolean): Cell[][] {
  return [
    [
      'assignment_id',
      'user_id',
      'user_name',
      'challenge_id',
      'challenge',
      'first_seen_submitted',
      'first_seen_graded',
      'waited_ms',
      'reviewers_due_date',
      'reviewer_overdue',
    ],
    ...rows.map((row) => [
      row.assignment_id,
      row.user_id,
      row.user_name,
      row.challenge_id,
      row.challenge,
      row.submitted_at,
      row.graded_at,
      (graded && row.graded_at !== null ? Date.parse(row.graded_at) : asOf) - Date.parse(row.submitted_at),
      row.reviewers_due_at,
      String(row.review_overdue),
    ]),
  ]
}
