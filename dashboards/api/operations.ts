/** Every call of the API. A test fails for a route without one. */
import { z } from 'zod'
import { xlsxType } from '../../reporting/exports/xlsx.ts'
import { toMetricSql } from '../../reporting/explain/metric-sql.ts'
import { cutTimeline, toTimeline } from '../../reporting/explain/timeline.ts'
import { parseChangeCursor } from '../../reporting/queries/changes.ts'
import { scopeKeys } from '../../reporting/scope/filters.ts'
import { toInstant } from '../../reporting/scope/instants.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'
import {
  newestFirst,
  parseCursor,
  parseRowOrder,
  rowSorts,
  toCursorText,
} from '../../reporting/scope/row-order.ts'
import { failedEventsAnswer, receiptAnswer } from '../../schemas/answers/deliveries.ts'
import { guidesAnswer } from '../../schemas/answers/guides.ts'
import { toInstantOrNull } from '../../schemas/instant.ts'
import { rowColumns } from '../../schemas/metrics/columns.ts'
import type { FactCount } from '../../schemas/metrics/facts.ts'
import { countWhere, kindOf, metricKeys, metricOf } from '../../schemas/metrics/metrics.ts'
import { partsOf } from '../../schemas/metrics/parts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { isEventId } from '../../schemas/webhook/parse-delivery.ts'
import { assignmentFile, parseColumns } from '../components/assignment-table.tsx'
import { sendFile } from '../http/send-file.ts'
import {
  endpoint,
  refuse,
  Refusal,
  toApiProblem,
  type ApiDeps,
  type Endpoint,
  type Operation,
} from './endpoint.ts'
import {
  assignmentsAnswer,
  changesAnswer,
  explainAnswer,
  metricKey,
  metricsAnswer,
  timelineAnswer,
} from './shapes.ts'

const whole = (from: number, to: number, otherwise: number, description: string) =>
  z.coerce.number().int().min(from).max(to).default(otherwise).meta({ description })
const perPage = whole(1, 1_000, 100, 'Rows of a JSON page')
const after = z.string().optional().meta({ description: 'Where a page begins, taken from the link `next`' })
const notAPlace = 'must be taken from the link "next" of an answer'
const csv = z.string().meta({ description: 'The same rows, all of them, as CSV with a head' })
const xlsx = z.string().meta({ description: 'The same rows, all of them, as a sheet with a head' })

/** The filters of one assignment. */
const momentKeys = ['as_of', 'tz', 'due_zone', 'due_end', 'due_soon_days']
/** Guides are pulled, so they have no past states; other filters concern challenges. */
export const guideKeys: readonly string[] = [
  'team',
  'without',
  'manager',
  'manager_depth',
  'user',
  'due_zone',
  'due_end',
  'include_leavers',
]

const toAddress = (path: string, params: URLSearchParams, change: Record<string, string>) => {
  const more = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) more.set(name, value)
  return `/api${path}?${more.toString()}`
}
const toMoment = ({ asOf }: Scope) => new Date(asOf).toISOString()

type Paged = Pick<ApiDeps, 'queries'> & {
  scope: Scope
  params: URLSearchParams
  own: { sort: string; per_page: number; after?: string | undefined }
}

/** A page of rows. The next one is of the same moment, so that pages fit together. */
async function readRows({ queries, scope, params, own }: Paged) {
  const order = parseRowOrder(own.sort) ?? newestFirst
  const cursor = own.after === undefined ? null : parseCursor(own.after, order)
  if (cursor === undefined) return refuse('after', notAPlace)
  const page = await queries.assignments(scope, { cursor, order, limit: own.per_page, withTotal: true })
  const next = page.next && { as_of: toMoment(scope), after: toCursorText(page.next) }
  return {
    as_of: toMoment(scope),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    sample: await queries.isSample(),
    total: page.total,
    next: next && toAddress('/assignments', params, next),
    assignments: page.rows,
  }
}

const rowCalls = [
  endpoint({
    path: '/metrics',
    id: 'getMetrics',
    summary: 'Every metric for a scope and a moment',
    filters: scopeKeys,
    answers: metricsAnswer,
    answer: async ({ queries, scope }) => queries.metrics(scope),
  }),
  endpoint({
    path: '/assignments',
    id: 'listAssignments',
    summary: 'The rows behind any number of a scope',
    description: 'JSON comes in pages; CSV and XLSX hold all rows of one moment, streamed.',
    filters: scopeKeys,
    rows: true,
    own: {
      sort: z
        .enum(rowSorts.flatMap((by) => [by, `-${by}`]) as [string, ...string[]])
        .default('-created')
        .meta({ description: 'Order of the rows; a minus = descending. Unknown values come last' }),
      per_page: perPage,
      after,
      columns: z
        .string()
        .refine((text) => parseColumns(text) !== undefined, {
          error: `must be names of columns with commas between them: ${rowColumns.join(', ')}`,
        })
        .optional()
        .meta({ description: 'Columns of CSV and XLSX, with commas between them. Default: all' }),
      format: z.enum(['json', 'csv', 'xlsx']).default('json'),
    },
    answers: { 'application/json': assignmentsAnswer, 'text/csv': csv, [xlsxType]: xlsx },
    async answer(ask) {
      const { c, queries, scope, params, own } = ask
      const { format, columns = '', sort } = own
      if (format === 'json') {
        if (columns !== '') refuse('columns', 'is for files; JSON has every field')
        return readRows(ask)
      }
      // Before the rows: nothing would stop their query if this failed.
      const frame = await queries.frame(scope)
      const table = assignmentFile(frame.freshness.sample, parseColumns(columns))
      // A HEAD request reads no rows, and nothing would stop the query.
      const rows = c.req.method === 'HEAD' ? [] : await queries.allAssignments(scope, parseRowOrder(sort))
      return sendFile(c, 'assignments', { table, rows }, { scope, rowParams: params }, frame, format)
    },
  }),
  endpoint({
    path: '/assignments/{id}',
    id: 'getAssignment',
    summary: 'One assignment at a moment: its state, lives, events and regrades',
    names: 'Assignment id',
    filters: momentKeys,
    own: {
      before: z.string().optional().meta({ description: 'The id of an event: the 200 events before it' }),
    },
    answers: timelineAnswer,
    canMiss: true,
    async answer({ id, queries, scope, params, own }) {
      const events = await queries.assignmentEvents(id, scope.asOf)
      if (events.length === 0)
        throw new Refusal(404, {
          parameter: 'id',
          message: 'is of no assignment that is known at this moment',
        })
      const ofEveryone = { ...scope, includeLeavers: true }
      const only = { cursor: null, limit: 1, withTotal: false, onlyAssignment: id }
      const { rows } = await queries.assignments(ofEveryone, only)
      const { older, ...timeline } = cutTimeline(toTimeline(events), own.before ?? null)
      const before = older === null ? null : { as_of: toMoment(scope), before: older }
      return {
        as_of: toMoment(scope),
        time_zone: scope.timeZone,
        due_zone: scope.dueZone,
        due_end: scope.dueEnd,
        assignment_id: id,
        state: rows[0] ?? null,
        ...timeline,
        older: before && toAddress(`/assignments/${encodeURIComponent(id)}`, params, before),
      }
    },
  }),
]

/** The parts of all metrics that count assignments. */
function toChangedParts(before: readonly FactCount[], after: readonly FactCount[]) {
  return metricKeys.flatMap((metric) =>
    partsOf(metric).map(({ name, holds }) => {
      const [from, to] = [countWhere(before, holds), countWhere(after, holds)]
      return { metric, part: name, from, to, difference: to - from }
    }),
  )
}

const moment = z.string().refine((text) => toInstant(text, 'UTC', 0) !== undefined, {
  error: 'must be an instant with offset or a date',
})

const changeCalls = [
  endpoint({
    path: '/changes',
    id: 'listChanges',
    summary: 'What changed between two moments, in numbers and assignment by assignment, and why',
    filters: scopeKeys.filter((key) => key !== 'as_of'),
    own: {
      from: moment.meta({ description: 'The first moment, as `as_of` elsewhere' }),
      to: moment.optional().meta({ description: 'The second moment. Default: now' }),
      per_page: perPage,
      after,
    },
    answers: changesAnswer,
    async answer({ queries, settings, clock, params, own }) {
      const now = clock()
      const at = (name: 'from' | 'to') => {
        const asked = new URLSearchParams([...params].filter(([key]) => !(key in own)))
        if (own[name] !== undefined) asked.set('as_of', own[name])
        const { scope, problems } = parseScope(asked, { now, settings })
        const [problem] = problems.map(toApiProblem)
        if (problem !== undefined)
          refuse(problem.parameter === 'as_of' ? name : problem.parameter, problem.message)
        return scope
      }
      const [before, after] = [at('from'), at('to')]
      if (before.asOf > after.asOf) refuse('from', 'must not be after to')
      const place = own.after === undefined ? undefined : parseChangeCursor(own.after)
      if (own.after !== undefined && place === undefined) refuse('after', notAPlace)
      // Before all rows, since it says how far they are complete.
      const complete_through = toInstantOrNull(await queries.completeThrough())
      // The rows first: their events are read while the numbers are added up.
      const [page, first, last] = await Promise.all([
        queries.changes(before, after, { after: place, limit: own.per_page }),
        queries.facts(before),
        queries.facts(after),
      ])
      const { as_of: to, metrics, ...frame } = last.answer
      const from = first.answer.as_of
      return {
        from,
        to,
        ...frame,
        complete_through,
        metrics: { from: first.answer.metrics, to: metrics },
        parts: toChangedParts(first.facts, last.facts),
        total: page.total,
        next: page.next && toAddress('/changes', params, { from, to, after: page.next }),
        assignments: page.changes,
      }
    },
  }),
]

const explainCalls = [
  endpoint({
    path: '/metrics/explain',
    id: 'explainMetric',
    summary: 'What a metric means, how it is computed, and of what it is made',
    filters: scopeKeys,
    own: { metric: metricKey },
    answers: explainAnswer,
    async answer({ queries, scope, params, own: { metric } }) {
      const { facts, answer } = await queries.facts(scope)
      // The explanation is of the answer's moment, which may lie shortly before that of the request.
      const answered = { ...scope, asOf: Date.parse(answer.as_of) }
      const [under, oddZones] = await Promise.all([
        queries.under(answered),
        queries.oddZones([answered.timeZone, answered.dueZone]),
      ])
      const { metrics, ...frame } = answer
      const { title, definition } = metricOf(metric)
      return {
        ...frame,
        metric,
        title,
        kind: kindOf(metric),
        definition,
        value: metrics[metric],
        sql: toMetricSql(metric, answered, under, oddZones),
        parts: partsOf(metric).map((part) => ({
          part: part.name,
          count: countWhere(facts, part.holds),
          rows: toAddress('/assignments', params, { as_of: toMoment(answered), metric, part: part.name }),
        })),
      }
    },
  }),
  endpoint({
    path: '/guides',
    id: 'getGuides',
    summary: 'What became of the guides that people were given, as of now',
    filters: guideKeys,
    own: { guide: z.array(z.string()).default([]).meta({ description: 'Guide ids' }) },
    answers: guidesAnswer,
    async answer({ queries, scope, own }) {
      // Names for a form are for pages.
      const { options: _, ...answer } = await queries.guides(scope, [...new Set(own.guide)])
      return answer
    },
  }),
]

const deliveryCalls = [
  endpoint({
    path: '/receipts/{id}',
    id: 'getReceipt',
    summary: 'Where the delivery with a receipt is now',
    description: 'A receipt is what the webhook address answered. The answer holds nothing of the body.',
    names: 'A receipt: 32 hexadecimal digits',
    answers: receiptAnswer,
    async answer({ id, queries }) {
      if (!isEventId(id.toLowerCase())) refuse('id', 'must be a receipt: 32 hexadecimal digits')
      return queries.receipt(id.toLowerCase())
    },
  }),
  endpoint({
    path: '/failed-events',
    id: 'listFailedEvents',
    summary: 'Deliveries that could not be used, by reason, and the newest of them',
    own: {
      reason: z
        .string()
        .regex(/^[a-z_]{1,40}$/)
        .default('')
        .meta({ description: 'List only those with this reason' }),
      limit: whole(0, 1_000, 100, 'How many to list'),
    },
    answers: failedEventsAnswer,
    answer: async ({ queries, own }) => queries.failedEvents(own),
  }),
]

export const endpoints: readonly Endpoint[] = [...rowCalls, ...changeCalls, ...explainCalls, ...deliveryCalls]

/** With the description itself. */
export const operations: readonly Operation[] = [
  ...endpoints,
  {
    path: '/openapi.json',
    id: 'getOpenApi',
    summary: 'This description',
    answers: { 'application/json': z.looseObject({ openapi: z.string() }) },
  },
]
