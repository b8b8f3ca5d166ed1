/**
 * The table of columns: the facts of one assignment at one moment, a row each. Rows of pages, files and the API are made of it
 * (reporting/statements/row.ts), and the analysts' views are printed from it (scripts/print-views.ts).
 */
import { agingBuckets } from './answer.ts'
import { agingFacts, both, statusFacts, type Condition, type Fact } from './facts.ts'
import type { Instant, NameOf } from './version.ts'

export type Content =
  /** Empty = unknown. */
  | { readonly text: 'assignment_id' | 'challenge_id' | 'user_id' | 'status'; readonly always?: true }
  | { readonly instant: Instant; readonly when?: Condition; readonly always?: true }
  /** The calendar day in the due zone. */
  | { readonly day: 'due_date' }
  | { readonly fact: Condition }
  /** The platform's own value, where it sent one. */
  | { readonly reported: Fact; readonly known: Fact }
  /** The value whose fact is the first that applies. */
  | { readonly first: Readonly<Record<string, Fact>>; readonly always?: true }
  | { readonly number: 'grade' | 'days_after_due'; readonly when: Condition }
  /** `known`: the fact that makes -1 a value; else it stands for unknown. */
  | { readonly number: 'completion_percentage'; readonly known: Fact }
  /** NULL where unknown. */
  | { readonly number: Exclude<NameOf<'number'>, 'grade' | 'completion_percentage'> }
  | { readonly number: 'life'; readonly always: true }
  /** Not of the version: the challenge's title and what is known of the person. */
  | { readonly beside: 'challenge' | 'user_name' }
  | { readonly besides: 'team_ids' | 'teams' | 'manager_ids' | 'managers' | 'user_attributes' }

export type Column = {
  readonly says: string
  readonly holds: Content
  /** Only of rows, or only of the views. Default: of both. */
  readonly only?: 'rows' | 'views'
}

const fact = <Of extends Condition>(of: Of, says: string) => ({ says, holds: { fact: of } }) as const
const at = <At extends Instant>(instant: At, says: string) => ({ says, holds: { instant } }) as const

/** In the order of files and views. */
export const columns = {
  assignment_id: { says: 'challengeAssignment.id', holds: { text: 'assignment_id', always: true } },
  challenge_id: { says: 'Id of the challenge; NULL = never sent', holds: { text: 'challenge_id' } },
  challenge: { says: 'Title of the challenge, as last sent', holds: { beside: 'challenge' } },
  user_id: { says: 'Id of the person; NULL = never sent', holds: { text: 'user_id' } },
  user_name: { says: 'Name of the person', holds: { beside: 'user_name' }, only: 'rows' },
  team_ids: { says: 'Ids of the person’s teams', holds: { besides: 'team_ids' }, only: 'rows' },
  teams: { says: 'Names of the person’s teams', holds: { besides: 'teams' }, only: 'rows' },
  manager_ids: { says: 'Ids of the direct managers', holds: { besides: 'manager_ids' }, only: 'rows' },
  managers: { says: 'Names of the direct managers', holds: { besides: 'managers' }, only: 'rows' },
  effective_status: {
    says: 'completed, failed, awaiting_grading, overdue, in_progress or not_started: the first that applies',
    holds: { first: statusFacts, always: true },
  },
  created_at: {
    says: 'createdAt, or the time of the first event of the life if it was never sent',
    holds: { instant: 'created_at', always: true },
  },
  created_at_assumed: fact('created_assumed', 'createdAt was never sent in this life'),
  due_date: at('due_date', 'Current dueDate'),
  due_day: { says: 'Calendar day of the due date in the due zone', holds: { day: 'due_date' } },
  first_due_date: at('first_due_date', 'First known due date of this life'),
  deadline_moved: fact('deadline_moved', 'The due date differs from the first known one of this life'),
  first_viewed_at: at('first_viewed_at', 'firstViewedAt'),
  last_viewed_at: at('last_viewed_at', 'lastViewedAt'),
  first_seen_submitted: at('first_submitted_at', 'Time of the first event of this life that says submitted'),
  first_seen_graded: at('first_graded_at', 'Time of the first event of this life that says graded'),
  completed_at: at('completed_at', 'completedAt'),
  reviewers_due_date: at('reviewers_due_date', 'reviewersDueDate'),
  updated_at: at('updated_at', 'updatedAt'),
  calculated_grade: {
    says: 'calculatedGrade if graded, out of 100; NULL = not graded, or never sent',
    holds: { number: 'grade', when: both('graded', 'grade_known') },
  },
  calculated_grade_as_sent: {
    says: 'calculatedGrade as sent: often 0 before grading',
    holds: { number: 'grade', when: 'grade_known' },
  },
  completion_percentage: {
    says: 'completionPercentage as sent',
    holds: { number: 'completion_percentage', known: 'percentage_minus_one' },
  },
  completed: fact('completed', 'isCompleted'),
  failed: fact('failed', 'Status is failed, and not completed'),
  viewed: fact('viewed', 'firstViewedAt known, or a later stage'),
  started: fact('started', 'Percentage above 0, or in progress, or a later stage'),
  submitted: fact('submitted', 'isSubmitted, or needs_grading, partially or fully graded, or completed'),
  graded: fact('graded', 'isFullyGraded'),
  partially_graded: fact('partially_graded', 'isPartiallyGraded'),
  passed: fact(both('graded', 'passed'), 'Graded, and passed'),
  awaiting_grading: fact('awaiting_grading', 'Submitted, and not graded, completed or failed'),
  waiting_since: {
    says: 'First seen submitted, while it awaits grading',
    holds: { instant: 'first_submitted_at', when: 'awaiting_grading' },
    only: 'rows',
  },
  open: fact('open', 'Not submitted and not failed: the person still has to act'),
  overdue: fact('overdue', 'Open, and the due date has passed'),
  days_overdue: {
    says: 'If overdue: calendar days in the due zone since the due day',
    holds: { number: 'days_after_due', when: 'overdue' },
  },
  aging_bucket: {
    says: `If overdue: ${agingBuckets.slice(0, -1).join(', ')} or ${agingBuckets.at(-1)} days`,
    holds: { first: agingFacts },
  },
  reviewer_overdue: fact('reviewer_overdue', 'Waiting for a grade, and reviewersDueDate has passed'),
  due_soon: fact('due_soon', 'Open, not overdue, due within the next days'),
  completed_on_time: fact('completed_on_time', 'Completed on time, as METRICS.md defines it'),
  reported_mismatch: fact('reported_mismatch', 'isOverdue was sent and differs from overdue'),
  status: { says: 'Status word as sent', holds: { text: 'status' } },
  is_completed_on_time: {
    says: 'isCompletedOnTime as reported by the platform',
    holds: { reported: 'reported_on_time', known: 'reported_on_time_known' },
  },
  is_overdue: {
    says: 'isOverdue as reported by the platform',
    holds: { reported: 'reported_overdue', known: 'reported_overdue_known' },
  },
  num_days_overdue: {
    says: 'numDaysOverdue as reported by the platform',
    holds: { number: 'days_overdue_reported' },
  },
  life: {
    says: 'Which life of the assignment: 1, and one more for each re-creation after a deletion',
    holds: { number: 'life', always: true },
  },
  began_submitted: {
    ...fact('began_submitted', 'The first event of this life was already submitted, so its time is unknown'),
    only: 'views',
  },
  began_graded: {
    ...fact('began_graded', 'The first event of this life was already graded, so its time is unknown'),
    only: 'views',
  },
  graded_when_submitted: {
    ...fact(
      'submitted_with_grade',
      'First seen submitted and first seen graded in one event: there is no turnaround to measure',
    ),
    only: 'views',
  },
  user_attributes: {
    says: 'Custom attributes of the person, each as name=value',
    holds: { besides: 'user_attributes' },
    only: 'rows',
  },
} as const satisfies Record<string, Column>

type Columns = typeof columns
export type RowColumn = {
  [Name in keyof Columns]: Columns[Name] extends { only: 'views' } ? never : Name
}[keyof Columns]

type Known<Of> = Of extends { besides: string }
  ? string[]
  : Of extends { fact: unknown } | { reported: unknown }
    ? boolean
    : Of extends { number: unknown }
      ? number
      : Of extends { first: Record<infer Value, Fact> }
        ? Value
        : string
type ValueOf<Of> = Of extends { always: true } | { fact: unknown } | { besides: unknown }
  ? Known<Of>
  : Known<Of> | null

/** One assignment. Instants are ISO 8601, UTC; `null` is unknown. */
export type AssignmentRow = { -readonly [Name in RowColumn]: ValueOf<Columns[Name]['holds']> }

export const rowColumns = (Object.keys(columns) as (keyof Columns)[]).filter((name): name is RowColumn => {
  const column: Column = columns[name]
  return column.only !== 'views'
})

/** Columns of instants, which CSV and JSON give in UTC and a sheet as dates of the reporting zone. */
export const instantColumns: readonly RowColumn[] = rowColumns.filter(
  (name) => 'instant' in columns[name].holds,
)
