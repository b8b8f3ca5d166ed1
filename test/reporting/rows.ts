/** The rows of `/api/assignments` in the model's words, so that they can be compared. */
import { instantColumns, type AssignmentRow, type columns } from '../../schemas/metrics/columns.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import type { RowCursor } from '../../reporting/scope/row-order.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
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
    .map((row) => onlyModelled(row, toModelValue))
    .toSorted((a, b) => (String(a['assignment_id']) < String(b['assignment_id']) ? -1 : 1))
}

/** Columns that the model does not know: names, and those that are only passed on. */
const notModelled = new Set<string>([
  'challenge',
  'user_name',
  'team_ids',
  'teams',
  'manager_ids',
  'managers',
  'user_attributes',
  'user_active',
  'last_viewed_at',
  'waiting_since',
  'num_days_overdue',
  'life',
  'began_submitted',
  'began_graded',
  'graded_when_submitted',
  'overdue_spans',
] satisfies (keyof typeof columns | 'user_active' | 'overdue_spans')[])

function onlyModelled(
  row: object,
  toValue: (value: unknown, column: string) => unknown,
): Record<string, unknown> {
  const known = Object.entries(row).filter(([column]) => !notModelled.has(column))
  return Object.fromEntries(known.map(([column, value]) => [column, toValue(value, column)]))
}

/** An instant of the view is a text in UTC. */
function toModelValue(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value)
    ? Date.parse(`${value.replace(' ', 'T')}Z`)
    : value
}

const instants = new Set<string>(instantColumns)

export const toModelRow = (row: AssignmentRow): Record<string, unknown> =>
  onlyModelled(row, (value, column) =>
    instants.has(column) && typeof value === 'string' ? Date.parse(value) : value,
  )
