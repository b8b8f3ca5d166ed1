import type { Hono } from 'hono'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { countWhere, kindOf, metricKeys, metricOf } from '../../../schemas/metrics/metrics.ts'
import { partsOf, type Part } from '../../../schemas/metrics/parts.ts'
import { toFactCount } from '../../../schemas/metrics/facts.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { toMetricSql } from '../../../reporting/explain/metric-sql.ts'
import { askScope, createOwnParameters, refuse, toParams, type ApiContext } from '../api-context.ts'
import { pagingParameters, parseRowParameters, sendRowPage } from '../row-pages.ts'
import { z } from 'zod'
import { metricKey, metrics, metricsAnswer } from './metrics.ts'
import { count } from '../../../schemas/answers/values.ts'

/** `/metrics/explain`: the meaning of a number, its computation, and its parts; `.../rows`: the rows of one part. */
export function mountExplain(app: Hono, context: ApiContext): void {
  const { queries } = context

  app.get('/metrics/explain', async (c) => {
    const params = toParams(c)
    const { scope, problems } = askScope(c, context, ['metric'])
    const parameters = createOwnParameters(params)
    const metric = parameters.pick('metric', toMetricKey, `one of ${metricKeys.join(', ')}`)
    parameters.need('metric', metric, 'the key of a metric')
    if (scope === undefined || metric === undefined || parameters.problems.length > 0) {
      return refuse(c, [...problems, ...parameters.problems])
    }
    const { facts, answer } = await queries.facts(scope)
    // The explanation is of the answer's moment, which may lie shortly before that of the request.
    const answered = { ...scope, asOf: Date.parse(answer.as_of) }
    const [under, oddZones] = await Promise.all([
      queries.under(answered),
      queries.oddZones([answered.timeZone, answered.dueZone]),
    ])
    const counts = facts.map(({ bits, count }) => toFactCount(bits, count))
    const { metrics, ...frame } = answer
    const { title, definition, formula } = metricOf(metric)
    return c.json({
      ...frame,
      metric,
      title,
      kind: kindOf(metric),
      definition,
      formula,
      value: metrics[metric],
      sql: toMetricSql(metric, answered, under, oddZones),
      parts: partsOf(metric).map((part) => ({
        part: part.name,
        count: countWhere(counts, part.holds),
        rows: toRowsUrl(params, answered, metric, part),
      })),
    })
  })

  app.get('/metrics/explain/rows', async (c) => {
    const params = toParams(c)
    const parameters = pagingParameters.filter((name) => name !== 'format' && name !== 'columns')
    const { scope, problems } = askScope(c, context, parameters, { rows: true })
    const request = parseRowParameters(params)
    if (scope === undefined || request.problems.length > 0)
      return refuse(c, [...problems, ...request.problems])
    if (scope.part === undefined)
      return refuse(c, [{ parameter: 'metric', message: 'is needed, and “part” with it' }])
    return sendRowPage(c, context, scope, request)
  })
}

function toMetricKey(text: string): keyof Metrics | undefined {
  return metricKeys.find((key) => key === text)
}

/**
 * Where the rows of a part are, pinned to the moment: `/api/assignments` where its parameters can select them, else the
 * route beside this one.
 */
function toRowsUrl(params: URLSearchParams, scope: Scope, metric: keyof Metrics, part: Part): string {
  const rows = new URLSearchParams([...params].filter(([key]) => key !== 'metric'))
  rows.set('as_of', new Date(scope.asOf).toISOString())
  const narrow = Object.entries(part.narrow ?? {})
  if (
    part.narrow !== undefined &&
    narrow.every(([key]) => scope[key as keyof typeof part.narrow].length === 0)
  ) {
    for (const [key, values] of narrow) for (const value of values) rows.append(key, value)
    return `/api/assignments?${rows.toString()}`
  }
  rows.set('metric', metric)
  rows.set('part', part.name)
  return `/api/metrics/explain/rows?${rows.toString()}`
}

const { metrics: _, ...frame } = metricsAnswer.shape

export const explainAnswer = z
  .object({
    ...frame,
    metric: metricKey,
    title: z.string(),
    kind: z.enum(['count', 'rate', 'duration', 'list', 'object']),
    definition: z.string(),
    formula: z.string(),
    value: z.union(Object.values(metrics.shape)).meta({ description: 'As in /api/metrics' }),
    sql: z
      .string()
      .meta({ description: 'As an analyst would write it against the documented views; runs as it stands' }),
    parts: z
      .array(
        z.object({
          part: z.string().meta({ examples: ['numerator', 'denominator', 'excluded.no_due_date'] }),
          count: count.meta({ description: 'Assignments' }),
          rows: z.string().meta({ description: 'Address of exactly these rows' }),
        }),
      )
      .meta({
        description:
          'Empty where a metric is not made of assignments that one address can name: people, cohorts, trend',
      }),
  })
  .meta({ id: 'ExplainAnswer' })
