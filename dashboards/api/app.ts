/** The JSON API: `createApi` is mounted at `/api`. Strict: whatever a request has that cannot be used is a 400 that lists it all. */
import { Hono, type Context } from 'hono'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { DataUnavailableError } from '../errors.ts'
import { toAssignmentsCsv, toAssignmentsXlsx } from '../exports/assignment-rows.ts'
import { toExportName, type ExportFormat } from '../exports/export-name.ts'
import { xlsxType } from '../exports/xlsx.ts'
import type { Queries, RowCursor } from '../queries/queries.ts'
import { parseScope, type Problem } from './scope.ts'

export type ApiDeps = {
  queries: Queries
  settings: ScopeSettings
  /** Epoch ms. */
  clock: () => number
  /** Told of every answer that failed, with its cause. */
  onError?: (error: unknown) => void
}

type ErrorCode = 'INVALID_PARAMETERS' | 'NOT_FOUND' | 'DATA_UNAVAILABLE' | 'INTERNAL'

const formats = ['json', 'csv', 'xlsx'] as const
const rowParameters = ['format', 'per_page', 'after']
const defaultRowsPerPage = 100
const maxRowsPerPage = 1_000

export function createApi({ queries, settings, clock, onError }: ApiDeps): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })

  app.get('/metrics', async (c) => {
    const parsed = parseScope(toParams(c), { now: clock(), settings, strict: true })
    if (!parsed.ok) return refuse(c, parsed.problems)
    return c.json(await queries.metrics(parsed.scope))
  })

  app.get('/assignments', async (c) => {
    const params = toParams(c)
    const parsed = parseScope(params, { now: clock(), settings, strict: true, ignore: rowParameters })
    const asked = parseRowParameters(params)
    const problems = [...(parsed.ok ? [] : parsed.problems), ...asked.problems]
    if (!parsed.ok || problems.length > 0) return refuse(c, problems)
    const { scope } = parsed
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

  // A route and not `notFound`, which a mounted app does not bring along.
  app.all('*', (c) => fail(c, 404, 'NOT_FOUND', [{ parameter: 'path', message: 'is not a part of this API' }]))
  app.onError((error, c) => {
    onError?.(error)
    return error instanceof DataUnavailableError
      ? fail(c, 503, 'DATA_UNAVAILABLE', [{ parameter: 'data', message: 'could not be read just now; try again' }])
      : fail(c, 500, 'INTERNAL', [{ parameter: 'data', message: 'could not be read; the log of the server says why' }])
  })
  return app
}

type RowParameters = { format: (typeof formats)[number]; perPage: number; after: RowCursor | null; problems: Problem[] }

function parseRowParameters(params: URLSearchParams): RowParameters {
  const problems: Problem[] = []
  const one = (name: string) => {
    const values = params.getAll(name).filter((value) => value !== '')
    if (values.length > 1) problems.push({ parameter: name, message: 'may be given only once' })
    return values[0]
  }
  const formatText = one('format') ?? 'json'
  const format = formats.find((name) => name === formatText)
  if (format === undefined) problems.push({ parameter: 'format', message: `must be one of ${formats.join(', ')}` })
  const perPageText = one('per_page') ?? String(defaultRowsPerPage)
  const perPage = /^\d{1,4}$/.test(perPageText) ? Number(perPageText) : 0
  if (perPage < 1 || perPage > maxRowsPerPage) {
    problems.push({ parameter: 'per_page', message: `must be a whole number from 1 to ${maxRowsPerPage}` })
  }
  const afterText = one('after')
  const after = afterText === undefined ? null : parseCursor(afterText)
  if (after === undefined)
    problems.push({ parameter: 'after', message: 'must be taken from the link "next" of an answer' })
  return { format: format ?? 'json', perPage, after: after ?? null, problems }
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

function toParams(c: Context): URLSearchParams {
  return new URL(c.req.url).searchParams
}

function refuse(c: Context, problems: Problem[]): Response {
  return fail(c, 400, 'INVALID_PARAMETERS', problems)
}

function fail(c: Context, status: 400 | 404 | 500 | 503, code: ErrorCode, problems: Problem[]): Response {
  return c.json({ error: { code, problems } }, status)
}
