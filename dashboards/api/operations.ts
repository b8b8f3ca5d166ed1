/** Every operation of the API. A test fails for a route without one. */
import { z } from 'zod'
import { xlsxType } from '../../reporting/exports/xlsx.ts'
import { deliveryOperations } from './routes/deliveries.ts'
import { guideOrderOperations } from './routes/guide-order-schemas.ts'
import { get, type Operation } from './openapi.ts'
import { guideScopeParameters } from './routes/guides.ts'
import { rowSorts } from '../../reporting/scope/row-order.ts'
import { rowParameters, scopeKeys } from '../../reporting/scope/filters.ts'
import { assignmentsAnswer, timelineAnswer, momentParameters } from './routes/assignments.ts'
import { changesAnswer } from './routes/changes.ts'
import { explainAnswer } from './routes/explain.ts'
import { guidesAnswer } from '../../schemas/answers/guides.ts'
import { metricKey, metricsAnswer } from './routes/metrics.ts'
import { scopeQuery } from './api-context.ts'

const json = 'application/json'
const perPage = z.int().min(1).max(1000).optional().meta({ description: 'Rows of a JSON page. Default: 100' })
const sort = z
  .enum(rowSorts.flatMap((by) => [by, `-${by}`]) as [string, ...string[]])
  .optional()
  .meta({
    description: 'Order of the rows; a minus = descending. Unknown values come last. Default: -created',
  })
const after = z.string().optional().meta({ description: 'Where a page begins, taken from the link `next`' })
const csv = z.string().meta({ description: 'The same rows, all of them, as CSV with a head' })
const xlsx = z.string().meta({ description: 'The same rows, all of them, as a sheet with a head' })

export const operations: readonly Operation[] = [
  get('/metrics', 'getMetrics', 'Every metric for a scope and a moment', {
    query: scopeQuery(),
    answers: { [json]: metricsAnswer },
  }),
  get('/assignments', 'listAssignments', 'The rows behind any number of a scope', {
    description: 'JSON comes in pages; CSV and XLSX hold all rows of one moment, streamed.',
    query: scopeQuery({
      ...rowParameters,
      sort,
      columns: z
        .string()
        .optional()
        .meta({ description: 'Columns of CSV and XLSX, with commas between them. Default: all' }),
      format: z.enum(['json', 'csv', 'xlsx']).optional().meta({ description: 'Default: json' }),
      per_page: perPage,
      after,
    }),
    answers: { [json]: assignmentsAnswer, 'text/csv': csv, [xlsxType]: xlsx },
  }),
  get(
    '/assignments/{id}',
    'getAssignment',
    'One assignment at a moment: its state, lives, events and regrades',
    {
      query: scopeQuery(
        {
          before: z.string().optional().meta({ description: 'The id of an event: the 200 events before it' }),
        },
        momentParameters,
      ),
      pathParameters: z.object({ id: z.string().meta({ description: 'Assignment id' }) }),
      answers: { [json]: timelineAnswer },
      refusals: [400, 404],
    },
  ),
  get(
    '/changes',
    'listChanges',
    'What changed between two moments, in numbers and assignment by assignment, and why',
    {
      query: scopeQuery(
        {
          from: z.string().meta({ description: 'The first moment, as `as_of` elsewhere' }),
          to: z.string().optional().meta({ description: 'The second moment. Default: now' }),
          per_page: perPage,
          after,
        },
        scopeKeys.filter((key) => key !== 'as_of'),
      ),
      answers: { [json]: changesAnswer },
    },
  ),
  get(
    '/metrics/explain',
    'explainMetric',
    'What a metric means, how it is computed, and of what it is made',
    {
      query: scopeQuery({ metric: metricKey }),
      answers: { [json]: explainAnswer },
    },
  ),
  get('/metrics/explain/rows', 'listRowsOfPart', 'The rows of one part of a metric', {
    description:
      'Parts are those that explainMetric names: numerator, denominator, what is excluded and why, lines.',
    query: scopeQuery({ metric: metricKey, part: z.string(), sort, per_page: perPage, after }),
    answers: { [json]: assignmentsAnswer },
  }),
  get('/guides', 'getGuides', 'What became of the guides that people were given, as of now', {
    query: scopeQuery(
      { guide: z.array(z.string()).optional().meta({ description: 'Guide ids' }) },
      guideScopeParameters,
    ),
    answers: { [json]: guidesAnswer },
  }),
  ...guideOrderOperations,
  ...deliveryOperations,
  get('/openapi.json', 'getOpenApi', 'This description', {
    answers: { [json]: z.looseObject({ openapi: z.string() }) },
    refusals: [],
  }),
]
