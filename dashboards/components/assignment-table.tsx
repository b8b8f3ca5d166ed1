/** The rows of assignments as a table: the page, its files, and those of the API, in one declaration. */
import type { Child } from 'hono/jsx'
import { capital } from '../../language/format.ts'
import { lookUp, t, type Message } from '../../language/translate.ts'
import { statusWords } from '../../reporting/words/change-words.ts'
import type { RowSort } from '../../reporting/scope/row-order.ts'
import { columns, rowColumns, type AssignmentRow, type RowColumn } from '../../schemas/metrics/columns.ts'
import type { PageContext } from '../page-context.ts'
import { allFilters } from '../scope/follow.ts'
import { objectHref } from './group-url.ts'
import { ChallengeLink, PersonLink } from './people.tsx'
import { inFile, type Column, type Kind, type Table } from './table.tsx'

/** Other columns are headed by their name in words. */
const heads: Partial<Record<RowColumn, Message>> = {
  user_name: 'Person',
  managers: 'Manager',
  teams: 'Team',
  challenge: 'Challenge',
  effective_status: 'Status',
  due_day: 'Due',
  days_overdue: 'Days overdue',
  waiting_since: 'Waiting for a grade since',
  calculated_grade: 'Grade',
  calculated_grade_as_sent: 'Grade as sent',
  created_at: 'Assigned',
  due_date: 'Due, to the minute',
  first_due_date: 'First due date',
  deadline_moved: 'Due date moved',
  created_at_assumed: 'Time of assignment assumed',
  first_seen_submitted: 'Submitted at',
  first_seen_graded: 'Graded at',
  completed_at: 'Completed at',
  completion_percentage: 'Completed, %',
  awaiting_grading: 'Waiting for a grade',
  aging_bucket: 'Days overdue, range',
  reviewers_due_date: 'Reviewers’ due date',
  reviewer_overdue: 'Grading overdue',
  reported_mismatch: 'Overdue differs from the platform',
  status: 'Status as sent',
  is_overdue: 'Overdue as sent',
  is_completed_on_time: 'On time as sent',
  num_days_overdue: 'Days overdue as sent',
  life: 'Time assigned',
}

export function headOf(name: RowColumn): string {
  const head = heads[name]
  return head === undefined ? capital(lookUp(name.replaceAll('_', ' '))) : t(head as 'Person')
}

export const rowSortOf: Partial<Record<RowColumn, RowSort>> = {
  user_name: 'person',
  due_day: 'due',
  days_overdue: 'days_late',
  waiting_since: 'waiting',
  calculated_grade: 'grade',
  created_at: 'created',
}

const isId = (name: RowColumn) => /_ids?$/.test(name)
export const allColumns: readonly RowColumn[] = [
  ...rowColumns.filter((name) => !isId(name)),
  ...rowColumns.filter(isId),
]

/** Names with commas between them: each once, in the order given. */
export function parseColumns(text: string): RowColumn[] | undefined {
  const names = [...new Set(text.split(','))]
  const known = names.flatMap((name) => rowColumns.find((column) => column === name) ?? [])
  return known.length === names.length ? known : undefined
}

/** A phone has room for the others. */
const optional: readonly RowColumn[] = ['managers', 'teams', 'calculated_grade']

function kindOf(name: RowColumn): Kind {
  const { holds } = columns[name]
  if ('instant' in holds) return 'instant'
  if ('day' in holds) return 'day'
  return 'number' in holds ? 'decimal' : 'text'
}

function toColumn(name: RowColumn): Column<AssignmentRow> {
  return {
    key: name,
    head: () => headOf(name),
    kind: kindOf(name),
    value: ({ [name]: value }) => (Array.isArray(value) ? value.join('; ') : value),
    sorts: name in rowSortOf,
    optional: optional.includes(name),
    cell: (row, context) => showCell(name, row, context),
  }
}

/** A value that is unknown or does not apply is a dash, which is not a zero. */
function showCell(name: RowColumn, row: AssignmentRow, context: PageContext): Child {
  const { format } = context
  const value = row[name]
  if (name === 'user_name') return <PersonLink context={context} id={row.user_id} name={row.user_name} />
  if (name === 'challenge') return <ChallengeLink context={context} row={row} />
  if (name === 'assignment_id' || name === 'effective_status')
    return (
      <a
        class={name === 'effective_status' && row.overdue ? 'late-mark' : undefined}
        href={objectHref('assignment', row.assignment_id, allFilters(context))}
      >
        {name === 'assignment_id' ? row.assignment_id : capital(statusWords(row.effective_status))}
      </a>
    )
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return <span class="zero">–</span>
  if (Array.isArray(value)) return <bdi>{value.join(', ')}</bdi>
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (typeof value === 'number') return format.decimal(value)
  if (name === 'due_day') return format.dayYear(value)
  if (name === 'waiting_since') return format.instantDay(value)
  return 'instant' in columns[name].holds ? format.instant(value) : value
}

/** `shown` on the page. The others can be sorted by. */
export function assignmentTable(shown: readonly RowColumn[]): Table<AssignmentRow> {
  const others = allColumns.filter((name) => !shown.includes(name))
  return {
    label: 'Assignments',
    className: 'rows list-cards named',
    columns: [
      ...shown.map(toColumn),
      ...others.map((name) => ({ ...toColumn(name), only: 'file' as const })),
    ],
  }
}

export function assignmentFile(
  sample: boolean,
  chosen: readonly RowColumn[] = allColumns,
): Table<AssignmentRow> {
  const marks = sample ? [inFile<AssignmentRow>('text', 'sample_data', 'Sample data', () => true)] : []
  return { label: 'Assignments', columns: [...chosen.map(toColumn), ...marks] }
}
