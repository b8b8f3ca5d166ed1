/** Reads rows of assignments: a page of them, or all as a stream. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { storedAssignmentSchema, toAssignmentRow, type AssignmentRow, type StoredAssignment } from './assignment-row.ts'
import { newestFirst, toLastKey, toSortFlags, type RowCursor, type RowOrder } from './row-order.ts'
import { selectRows, streamRows, toRowsAt } from './sql.ts'

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

export async function readRowPage(client: ClickHouseClient, scope: Scope, request: RowRequest): Promise<RowPage> {
  const { order = newestFirst, cursor = null, backwards = false, limit, withTotal, onlyAssignment } = request
  const { params, flags } = toRowsAt(scope)
  const found = await selectRows(
    client,
    'assignments',
    {
      ...params,
      last_key: toLastKey(order),
      ...(cursor !== null && { after_key: cursor.key, after_id: cursor.assignmentId }),
      ...(onlyAssignment !== undefined && { only_assignment: onlyAssignment }),
      // One more row than asked for shows whether there is a further page.
      limit: limit + 1,
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
  const stored = storedAssignmentSchema.array().parse(found)
  const page = stored.slice(0, limit)
  if (backwards) page.reverse()
  const hasMore = stored.length > limit
  const isFirst = backwards ? !hasMore : cursor === null
  const isLast = !backwards && !hasMore
  return {
    rows: page.map(toAssignmentRow),
    ...toTotals(page, backwards, withTotal && cursor === null),
    next: isLast ? null : toCursor(page.at(-1)),
    previous: isFirst ? null : toCursor(page[0]),
  }
}

function toTotals(
  page: readonly StoredAssignment[],
  backwards: boolean,
  isWhole: boolean,
): Pick<RowPage, 'total' | 'units' | 'first'> {
  const totals = page[0]?.totals ?? null
  if (totals === null) return isWhole && page.length === 0 ? { total: 0, units: 0, first: 1 } : noTotals
  const [total, beyond, units] = totals
  return { total, units, first: (backwards ? beyond - page.length : total - beyond) + 1 }
}

const noTotals = { total: null, units: null, first: null }

function toCursor(row: StoredAssignment | undefined): RowCursor | null {
  return row === undefined ? null : { key: row.row_key, assignmentId: row.assignment_id }
}

/** All rows of a scope in an order, of one moment: a caller that stops early stops the query. */
export async function streamAllRows(
  streamer: ClickHouseClient,
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
