import type { Context, Hono } from 'hono'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { cutTimeline, toTimeline } from '../../../reporting/explain/timeline.ts'
import { assignmentFile } from '../../components/assignment-table.tsx'
import { sendFile } from '../../http/send-file.ts'
import { askScope, fail, refuse, toParams, type ApiContext } from '../api-context.ts'
import { pagingParameters, parseRowParameters, sendRowPage } from '../row-pages.ts'
import { z } from 'zod'
import { columns, rowColumns, type AssignmentRow, type Content } from '../../../schemas/metrics/columns.ts'
import { timeline } from '../../../schemas/answers/timeline.ts'
import { calendarDate, count, frame, instant } from '../../../schemas/answers/values.ts'

/** `/assignments`: the rows behind any number; JSON in pages, CSV and XLSX whole. */
export function mountAssignments(app: Hono, context: ApiContext): void {
  const { queries } = context

  app.get('/assignments', async (c) => {
    const params = toParams(c)
    const { scope, problems } = askScope(c, context, pagingParameters, { rows: true })
    const request = parseRowParameters(params)
    if (scope === undefined || request.problems.length > 0)
      return refuse(c, [...problems, ...request.problems])
    const { format, columns, order } = request
    if (format === 'json') return sendRowPage(c, context, scope, request)
    // Before the rows: nothing would stop their query if this failed.
    const frame = await queries.frame(scope)
    const table = assignmentFile(frame.freshness.sample, columns ?? undefined)
    // A HEAD request reads no rows, and nothing would stop the query.
    const rows = c.req.method === 'HEAD' ? [] : await queries.allAssignments(scope, order)
    return sendFile(c, 'assignments', { table, rows }, { scope, rowParams: params }, frame, format)
  })

  app.get('/assignments/:id', async (c) => {
    const { scope, problems } = askScope(c, context, ['before'])
    const isNamed = (name: string) => problems.some(({ parameter }) => parameter === name)
    const unwanted = [...new Set(toParams(c).keys())].filter(
      (name) => name !== 'before' && !momentParameters.includes(name),
    )
    const refused = unwanted
      .filter((name) => !isNamed(name))
      .map((parameter) => ({ parameter, message: 'means nothing for a single assignment' }))
    if (scope === undefined || refused.length > 0) return refuse(c, [...problems, ...refused])
    const assignmentId = c.req.param('id')
    const events = await queries.assignmentEvents(assignmentId, scope.asOf)
    if (events.length === 0) {
      return fail(c, 404, 'NOT_FOUND', [
        { parameter: 'id', message: 'is of no assignment that is known at this moment' },
      ])
    }
    const { rows } = await queries.assignments(
      { ...scope, includeLeavers: true },
      { cursor: null, limit: 1, withTotal: false, onlyAssignment: assignmentId },
    )
    const { older, ...timeline } = cutTimeline(toTimeline(events), toParams(c).get('before'))
    return c.json({
      as_of: new Date(scope.asOf).toISOString(),
      time_zone: scope.timeZone,
      due_zone: scope.dueZone,
      due_end: scope.dueEnd,
      assignment_id: assignmentId,
      state: rows[0] ?? null,
      ...timeline,
      older: older === null ? null : toOlderUrl(c, scope, older),
    })
  })
}

function toOlderUrl(c: Context, scope: Scope, before: string): string {
  const { pathname, searchParams } = new URL(c.req.url)
  searchParams.set('as_of', new Date(scope.asOf).toISOString())
  searchParams.set('before', before)
  return `${pathname}?${searchParams.toString()}`
}

export const momentParameters: readonly string[] = ['as_of', 'tz', 'due_zone', 'due_end', 'due_soon_days']

const text = z.string()
const flag = z.boolean()

/** The shape of a value that is known. */
function toSchema(of: Content): z.ZodType {
  if ('instant' in of) return instant
  if ('day' in of) return calendarDate
  if ('fact' in of || 'reported' in of) return flag
  if ('first' in of) return z.enum(Object.keys(of.first))
  if ('number' in of) return of.number === 'life' || of.number === 'days_after_due' ? count : z.number()
  return 'besides' in of ? z.array(text) : text
}

const assignmentRow = z
  .object(
    Object.fromEntries(
      rowColumns.map((name) => {
        const { holds, says } = columns[name]
        const isKnown = 'always' in holds || 'fact' in holds || 'besides' in holds
        return [name, (isKnown ? toSchema(holds) : toSchema(holds).nullable()).meta({ description: says })]
      }),
    ),
  )
  .meta({
    id: 'Assignment',
    description: 'One assignment at the moment, a field per fact of METRICS.md',
  }) as unknown as z.ZodType<AssignmentRow>

export const assignmentsAnswer = z
  .object({
    ...frame,
    sample: flag.meta({ description: 'Whether this is sample data: people and numbers are made up' }),
    total: count.nullable(),
    next: text.nullable().meta({ description: 'Address of the next page, as of the same moment' }),
    assignments: z.array(assignmentRow),
  })
  .meta({ id: 'AssignmentsAnswer' })

export const timelineAnswer = z
  .object({
    ...frame,
    assignment_id: text,
    state: assignmentRow
      .nullable()
      .meta({ description: 'null where it was deleted, or not created yet, at the moment' }),
    ...timeline.shape,
    older: z
      .string()
      .nullable()
      .meta({ description: 'Address of the events before these, as of the same moment' }),
  })
  .meta({ id: 'TimelineAnswer' })
