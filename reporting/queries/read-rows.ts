/** Reads rows of assignments: a page of them, or all as a stream. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import {
  rowPersonSchema,
  storedAssignmentSchema,
  takenAssignmentSchema,
  toAssignmentRow,
  type AssignmentRow,
  type RowPerson,
  type TakenAssignment,
} from './assignment-row.ts'
import { newestFirst, toLastKey, toSortFlags, type RowCursor, type RowOrder } from './row-order.ts'
import { selectRows, streamRows, toDateTime, toRowsAt } from './sql.ts'
import type { Reader } from '../read/reader.ts'

export type RowRequest = {
  /** Default: newest first. */
  order?: RowOrder
  /** The row after which the page begins, or before which it ends. Default: the first page. */
  cursor?: RowCursor | null
  /** The page before the cursor instead of the one after it. Default: no. */
  backwards?: boolean
  limit: number
  withTotal: boolean
  /** Only the assignment with this id. Default: all. */
  onlyAssignment?: string
}

export type RowPage = {
  rows: AssignmentRow[]
  /** All rows of the scope; `null` where it was not asked for, or nothing lies beyond the cursor. */
  total: number | null
  /** What the rows add up to: more than `total` where an assignment counts more than once. */
  units: number | null
  /** The place of the first row among all, from 1; `null` like `total`. */
  first: number | null
  /** Where the next page begins, `null` after the last one. */
  next: RowCursor | null
  /** Where the page before this one ends, `null` on the first one. */
  previous: RowCursor | null
}

export async function readRowPage(reader: Reader, scope: Scope, request: RowRequest): Promise<RowPage> {
  const { cursor = null, backwards = false, limit, withTotal } = request
  // One more row than asked for shows whether there is a further page.
  const stored = await readAtLeast(reader, scope, request, limit + 1)
  const page = stored.slice(0, limit)
  if (backwards) page.reverse()
  const people = await readPeople(reader, scope, page)
  const hasMore = stored.length > limit
  const isFirst = backwards ? !hasMore : cursor === null
  const isLast = !backwards && !hasMore
  return {
    rows: page.map((row) => toAssignmentRow({ ...row, ...(people.get(row.user_id) ?? nobody) })),
    ...toTotals(page, backwards, withTotal && cursor === null),
    next: isLast ? null : toCursor(page.at(-1)),
    previous: isFirst ? null : toCursor(page[0]),
  }
}

/** So many rows that hold, or all there are. What was taken back since the last merge lies between them, as a rule little. */
async function readAtLeast(
  reader: Reader,
  scope: Scope,
  request: RowRequest,
  wanted: number,
): Promise<TakenAssignment[]> {
  for (let mostRows = wanted + 64; ; mostRows *= 8) {
    const found = await readSigned(reader, scope, request, mostRows)
    const isCut = found.reduce((sum, { taken }) => sum + taken, 0) === mostRows
    // The last one may lack the row that takes it back.
    const whole = isCut ? found.slice(0, -1) : found
    const held = whole.filter(({ copies }) => copies > 0)
    if (held.length >= wanted || !isCut) return held.slice(0, wanted)
  }
}

async function readSigned(
  reader: Reader,
  scope: Scope,
  { order = newestFirst, cursor = null, backwards = false, withTotal, onlyAssignment }: RowRequest,
  mostRows: number,
): Promise<TakenAssignment[]> {
  const { params, flags } = toRowsAt(scope)
  const found = await selectRows(
    reader,
    'assignments',
    {
      ...params,
      last_key: toLastKey(order),
      ...(cursor !== null && { after_key: cursor.key, after_id: cursor.assignmentId }),
      ...(onlyAssignment !== undefined && { only_assignment: onlyAssignment }),
      most_rows: mostRows,
    },
    {
      ...flags,
      ...toSortFlags(order),
      after: cursor !== null,
      backwards,
      up: order.descending === backwards,
      one: onlyAssignment !== undefined,
      with_total: withTotal,
    },
  )
  return takenAssignmentSchema.array().parse(found)
}

const nobody = { user_name: '', teams: [], managers: [] }

/** The people of a page, as of its moment. Asked after the rows: only of a hundred people, and not of all. */
async function readPeople(
  reader: Reader,
  { asOf, now }: Scope,
  rows: readonly TakenAssignment[],
): Promise<Map<string, RowPerson>> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))].filter(Boolean)
  if (ids.length === 0) return new Map()
  const found = await selectRows(reader, 'row-people', { ids, as_of: toDateTime(asOf), now: toDateTime(now) })
  return new Map(
    rowPersonSchema
      .array()
      .parse(found)
      .map((person) => [person.user_id, person]),
  )
}

function toTotals(
  page: readonly TakenAssignment[],
  backwards: boolean,
  isWhole: boolean,
): Pick<RowPage, 'total' | 'units' | 'first'> {
  const totals = page[0]?.totals ?? null
  if (totals === null) return isWhole && page.length === 0 ? { total: 0, units: 0, first: 1 } : noTotals
  const [total, beyond, units] = totals
  return { total, units, first: (backwards ? beyond - page.length : total - beyond) + 1 }
}

const noTotals = { total: null, units: null, first: null }

function toCursor(row: TakenAssignment | undefined): RowCursor | null {
  return row === undefined ? null : { key: row.row_key, assignmentId: row.assignment_id }
}

/** All rows of a scope in an order, of one moment: a caller that stops early stops the query. */
export async function streamAllRows(
  streamer: Reader,
  scope: Scope,
  order: RowOrder = newestFirst,
): Promise<AsyncIterable<AssignmentRow[]>> {
  const { params, flags } = toRowsAt(scope)
  const found = await streamRows(
    streamer,
    'all-assignments',
    { ...params, last_key: toLastKey(order) },
    { ...flags, ...toSortFlags(order), up: !order.descending },
  )
  return toRows(found)
}

async function* toRows(stored: AsyncIterable<unknown[]>): AsyncGenerator<AssignmentRow[]> {
  for await (const rows of stored) yield storedAssignmentSchema.array().parse(rows).map(toAssignmentRow)
}
