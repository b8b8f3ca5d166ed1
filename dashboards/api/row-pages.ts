/** Rows of assignments in pages: the request's parameters, and the answer with its link to the next page. */
import type { Context } from 'hono'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { rowColumns, type RowColumn } from '../../schemas/metrics/columns.ts'
import {
  newestFirst,
  parseCursor,
  parseRowOrder,
  rowSorts,
  toCursorText,
  type RowCursor,
  type RowOrder,
} from '../../reporting/scope/row-order.ts'
import {
  createOwnParameters,
  toParams,
  toWholeNumber,
  type ApiContext,
  type ApiProblem,
} from './api-context.ts'

const formats = ['json', 'csv', 'xlsx'] as const
/** Beside those of the scope and of the part. */
export const pagingParameters: readonly string[] = ['format', 'sort', 'columns', 'per_page', 'after']
const defaultRowsPerPage = 100
const maxRowsPerPage = 1_000

export type RowParameters = {
  format: (typeof formats)[number]
  order: RowOrder
  /** Columns of a file; `null` = all. */
  columns: RowColumn[] | null
  perPage: number
  after: RowCursor | null
  problems: ApiProblem[]
}

export function parseRowParameters(params: URLSearchParams): RowParameters {
  const { pick, problems } = createOwnParameters(params)
  const format = pick(
    'format',
    (text) => formats.find((name) => name === text),
    `one of ${formats.join(', ')}`,
  )
  const perPage = pick(
    'per_page',
    (text) => toWholeNumber(text, 1, maxRowsPerPage),
    `a whole number from 1 to ${maxRowsPerPage}`,
  )
  const order = pick(
    'sort',
    parseRowOrder,
    `one of ${rowSorts.join(', ')}, with a minus before it for descending`,
  )
  const after = pick(
    'after',
    (text) => parseCursor(text, order ?? newestFirst),
    'taken from the link "next" of an answer',
  )
  const columns = pick(
    'columns',
    parseColumns,
    `names of columns with commas between them: ${rowColumns.join(', ')}`,
  )
  if (columns !== undefined && (format ?? 'json') === 'json')
    problems.push({ parameter: 'columns', message: 'is for files; JSON has every field' })
  return {
    format: format ?? 'json',
    order: order ?? newestFirst,
    columns: columns ?? null,
    perPage: perPage ?? defaultRowsPerPage,
    after: after ?? null,
    problems,
  }
}

/** Each once, in the order given. */
export function parseColumns(text: string): RowColumn[] | undefined {
  const names = [...new Set(text.split(','))]
  const columns = names.flatMap((name) => rowColumns.find((column) => column === name) ?? [])
  return columns.length === names.length ? columns : undefined
}

/** The same request, pinned to this answer's instant, so that pages fit together. */
function toNextUrl(c: Context, params: URLSearchParams, scope: Scope, next: RowCursor): string {
  const more = new URLSearchParams(params)
  more.set('as_of', new Date(scope.asOf).toISOString())
  more.set('after', toCursorText(next))
  return `${new URL(c.req.url).pathname}?${more.toString()}`
}

export async function sendRowPage(
  c: Context,
  { queries }: ApiContext,
  scope: Scope,
  { after: cursor, order, perPage: limit }: RowParameters,
): Promise<Response> {
  const page = await queries.assignments(scope, { cursor, order, limit, withTotal: true })
  return c.json({
    as_of: new Date(scope.asOf).toISOString(),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    sample: await queries.isSample(),
    total: page.total,
    next: page.next === null ? null : toNextUrl(c, toParams(c), scope, page.next),
    assignments: page.rows,
  })
}
