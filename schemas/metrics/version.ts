/**
 * The table of versions: the stored columns of one state of an assignment. Columns in memory, what is read into them, rows, filters and the
 * printed views follow from it. `open_versions` and `closed_versions` have the same columns, and the fold fills them (fold-assignment.ts).
 */
export const versionColumns = {
  class: 'class',
  user_id: 'word',
  challenge_id: 'word',
  status: 'word',
  assignment_id: 'text',
  state: 'whole',
  life: 'whole',
  valid_from: 'time',
  life_started_at: 'time',
  created_at: 'instant',
  completed_at: 'instant',
  due_date: 'instant',
  first_due_date: 'instant',
  reviewers_due_date: 'instant',
  first_submitted_at: 'instant',
  first_graded_at: 'instant',
  updated_at: 'instant',
  first_viewed_at: 'instant',
  last_viewed_at: 'instant',
  valid_to: 'end',
  grade: 'number',
  completion_percentage: 'number',
  days_overdue_reported: 'number',
  due_spans: 'spans',
} as const satisfies Record<string, Kind>

/**
 * `word`: few different texts. `instant`: epoch ms, 0 = unknown; filters, facts and durations may name it. `time`: a known instant that only
 * the product names.
 */
type Kind = 'class' | 'word' | 'text' | 'whole' | 'time' | 'instant' | 'end' | 'number' | 'spans'

export type VersionColumn = keyof typeof versionColumns
export type KindOf<Name extends VersionColumn> = (typeof versionColumns)[Name]
export type NameOf<Of extends Kind> = {
  [Name in VersionColumn]: KindOf<Name> extends Of ? Name : never
}[VersionColumn]

export type Instant = NameOf<'instant'>
export const instants = (Object.keys(versionColumns) as VersionColumn[]).filter(
  (name): name is Instant => versionColumns[name] === 'instant',
)
