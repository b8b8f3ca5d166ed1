import { Hono, type Context } from 'hono'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { toAssignmentsCsv, toAssignmentsXlsx } from '../../exports/assignment-rows.ts'
import { toExportName, type ExportFormat } from '../../exports/export-name.ts'
import { xlsxType } from '../../exports/xlsx.ts'
import type { Queries, RowCursor } from '../../queries/queries.ts'
import { askScope, createOwnParameters, refuse, toParams, toWholeNumber, type ApiContext } from '../api-context.ts'
import type { Problem } from '../scope.ts'

const formats = ['json', 'csv', 'xlsx'] as const
const rowParameters = ['format', 'per_page', 'after']
const defaultRowsPerPage = 100
const maxRowsPerPage = 1_000

/** `/assignments`: the rows behind any number, paged as JSON, whole as a file. */
export function assignmentRoutes(context: ApiContext): Hono {
  const { queries } = context
  const app = new Hono()

  app.get('/assignments', async (c) => {
    const params = toParams(c)
    const { scope, problems } = askScope(c, context, rowParameters)
    const asked = parseRowParameters(params)
    if (scope === undefined || asked.problems.length > 0) return refuse(c, [...problems, ...asked.problems])
    if (asked.format !== 'json') return sendFile(c, queries, scope, asked.format, params)
    const { after, perPage: limit } = asked
    const page = await queries.assignments(scope, { after, limit, withTotal: true })
    return c.json({
      as_of: new Date(scope.asOf).toISOString(),
      time_zone: scope.timeZone,
      due_zone: scope.dueZone,
      due_end: scope.dueEnd,
      sample: await queries.isSample(),
      total: page.total,
      next: page.next === null ? null : toNextUrl(c, params, scope, page.next),
      assignments: page.rows,
    })
  })

  return app
}

type RowParameters = { format: (typeof formats)[number]; perPage: number; after: RowCursor | null; problems: Problem[] }

function parseRowParameters(params: URLSearchParams): RowParameters {
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

/** `<created_at in ms>.<assignment id>`: ids may hold anything, hence base64. */
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

async function sendFile(
  c: Context,
  queries: Queries,
  scope: Scope,
  format: ExportFormat,
  params: URLSearchParams,
): Promise<Response> {
  const sample = await queries.isSample()
  const name = toExportName({ what: 'assignments', format, asOf: scope.asOf, params, sample })
  const headers = {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxType,
    'content-disposition': `attachment; filename="${name}"`,
  }
  // Nobody would read the rows, nor tell the query to stop.
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const rows = await queries.allAssignments(scope)
  const { timeZone } = scope
  return c.body(
    format === 'csv' ? toAssignmentsCsv(rows, sample) : toAssignmentsXlsx(rows, { sample, timeZone }),
    200,
    headers,
  )
}
