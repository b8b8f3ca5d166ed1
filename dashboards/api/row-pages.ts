/** Rows of assignments in pages: the request's parameters, and the answer with its link to the next page. */
import type { Context } from 'hono'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { RowCursor, RowPage } from '../../reporting/queries/queries.ts'
import { createOwnParameters, toParams, toWholeNumber, type ApiContext } from './api-context.ts'
import type { Problem } from '../../reporting/scope/given.ts'

const formats = ['json', 'csv', 'xlsx'] as const
export const rowParameters: readonly string[] = ['format', 'per_page', 'after']
const defaultRowsPerPage = 100
const maxRowsPerPage = 1_000

export type RowParameters = {
  format: (typeof formats)[number]
  perPage: number
  after: RowCursor | null
  problems: Problem[]
}

export function parseRowParameters(params: URLSearchParams): RowParameters {
  const { pick, problems } = createOwnParameters(params)
  const format = pick('format', (text) => formats.find((name) => name === text), `one of ${formats.join(', ')}`)
  const perPage = pick(
    'per_page',
    (text) => toWholeNumber(text, 1, maxRowsPerPage),
    `a whole number from 1 to ${maxRowsPerPage}`,
  )
  const after = pick('after', parseCursor, 'taken from the link "next" of an answer')
  return { format: format ?? 'json', perPage: perPage ?? defaultRowsPerPage, after: after ?? null, problems }
}

/** `<created_at in ms>.<assignment id>`: ids may hold any character, hence base64. */
function toCursorText({ createdAt, assignmentId }: RowCursor): string {
  return Buffer.from(`${Date.parse(createdAt)}.${assignmentId}`).toString('base64url')
}

function parseCursor(text: string): RowCursor | undefined {
  const match = /^(\d{1,13})\.(.+)$/s.exec(Buffer.from(text, 'base64url').toString())
  if (match === null) return undefined
  return { createdAt: new Date(Number(match[1])).toISOString(), assignmentId: match[2] ?? '' }
}

/** The same request, pinned to this answer's instant, so that pages fit together. */
function toNextUrl(c: Context, params: URLSearchParams, scope: Scope, next: RowCursor): string {
  const more = new URLSearchParams(params)
  more.set('as_of', new Date(scope.asOf).toISOString())
  more.set('after', toCursorText(next))
  return `${new URL(c.req.url).pathname}?${more.toString()}`
}

export async function toRowsAnswer(c: Context, { queries }: ApiContext, scope: Scope, page: RowPage) {
  return {
    as_of: new Date(scope.asOf).toISOString(),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    sample: await queries.isSample(),
    total: page.total,
    next: page.next === null ? null : toNextUrl(c, toParams(c), scope, page.next),
    assignments: page.rows,
  }
}
