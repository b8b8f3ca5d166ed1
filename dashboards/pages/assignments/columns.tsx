/** The columns of the rows page: their heads, their cells, and what each can be sorted by. */
import { allFilters } from '../../scope/follow.ts'
import type { Child } from 'hono/jsx'
import {
  columns,
  instantColumns,
  rowColumns,
  type AssignmentRow,
  type RowColumn,
} from '../../../schemas/metrics/columns.ts'
import type { RowSort } from '../../../reporting/scope/row-order.ts'
import { ChallengeLink, ManagerLinks, PersonLink, TeamLinks } from '../../components/people.tsx'
import type { PageContext } from '../../page-context.ts'
import { objectHref } from '../../components/group-url.ts'
import { capital } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import { statusWords } from '../../../reporting/words/change-words.ts'

export const defaultColumns: readonly RowColumn[] = [
  'user_name',
  'managers',
  'teams',
  'challenge',
  'effective_status',
  'due_day',
  'days_overdue',
  'waiting_since',
  'calculated_grade',
]

/** The order after a click on the head, and which way round first. */
export const sortOf: Partial<Record<RowColumn, { by: RowSort; descending: boolean }>> = {
  user_name: { by: 'person', descending: false },
  due_day: { by: 'due', descending: false },
  due_date: { by: 'due', descending: false },
  days_overdue: { by: 'days_late', descending: true },
  waiting_since: { by: 'waiting', descending: false },
  calculated_grade: { by: 'grade', descending: true },
  created_at: { by: 'created', descending: true },
}

export const allColumns: readonly RowColumn[] = [
  ...defaultColumns,
  ...rowColumns.filter((column) => !defaultColumns.includes(column)),
]

const dateColumns: readonly RowColumn[] = ['due_day', ...instantColumns]

export function cellClass(column: RowColumn): string | undefined {
  if (isNumber(column)) return 'number'
  return dateColumns.includes(column) ? 'date' : undefined
}

export function isNumber(column: RowColumn): boolean {
  return 'number' in columns[column].holds
}

/** A value that is unknown or does not apply is a dash, which is not a zero. */
export function Cell({
  row,
  column,
  context,
}: {
  context: PageContext
  row: AssignmentRow
  column: RowColumn
}): Child {
  const { format } = context
  // Before an assignment is graded, the platform sends 0 or a preliminary grade: files and views have the grade as sent.
  const value = row[column]
  if (column === 'user_name') return <PersonLink context={context} id={row.user_id} name={row.user_name} />
  if (column === 'challenge') return <ChallengeLink context={context} row={row} />
  if (column === 'managers' && row.managers.length > 0) return <ManagerLinks context={context} row={row} />
  if (column === 'teams' && row.teams.length > 0) return <TeamLinks context={context} row={row} />
  if (column === 'assignment_id' || column === 'effective_status')
    return (
      <a href={objectHref('assignment', row.assignment_id, allFilters(context))}>
        {column === 'assignment_id' ? row.assignment_id : capital(statusWords(row.effective_status))}
      </a>
    )
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return <span class="zero">–</span>
  if (Array.isArray(value)) return value.join(', ')
  if (column === 'due_day') return format.dayYear(String(value))
  if (instantColumns.includes(column)) return format.instant(String(value))
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  return typeof value === 'number' ? format.decimal(value) : value
}
