/** The shapes of answers that several calls share. */
import { z } from 'zod'
import { changeSchema } from '../../reporting/queries/changes.ts'
import { timeline } from '../../schemas/answers/timeline.ts'
import type { Metrics, MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { columns, rowColumns, type AssignmentRow, type Content } from '../../schemas/metrics/columns.ts'
import { metricKeys, metricOf } from '../../schemas/metrics/metrics.ts'
import { calendarDate, count, frame, instant, period, rate } from '../../schemas/answers/values.ts'

const milliseconds = z.number().nullable()

function shapeOf(key: keyof Metrics): z.ZodType {
  const metric = metricOf(key)
  switch (metric.by) {
    case 'count':
      return z.object({ value: count })
    case 'rate':
      return rate(...Object.keys(metric.excluded))
    case 'people':
      return rate()
    case 'lines':
      return z.array(z.object({ [metric.name]: z.enum(Object.keys(metric.lines)), count }))
    case 'periods':
      return z.array(z.object({ period_start: calendarDate, ...each(metric.lines, () => count) }))
    case 'duration':
      return z.object({
        p50_ms: milliseconds,
        p90_ms: milliseconds,
        n: count,
        censored: count,
        unknown: count,
      })
    case 'rates':
      return z.object({
        value: count,
        ...each(metric.rates, ({ excluded }) => rate(...Object.keys(excluded))),
      })
    case 'grades':
      return z.object({
        n: count,
        mean: z.number().nullable(),
        median: z.number().nullable(),
        histogram: z.array(z.object({ from: z.number(), to: z.number(), count })),
      })
    case 'backlog':
      return z.object({
        value: count,
        untouched: count,
        partially_graded: count,
        p50_age_ms: milliseconds,
        oldest_age_ms: milliseconds,
      })
  }
}

function each<Value>(of: Readonly<Record<string, Value>>, toShape: (value: Value) => z.ZodType) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, toShape(value)]))
}

export const metricKey = z.enum(metricKeys)

const metrics = z
  .object(
    Object.fromEntries(
      metricKeys.map((key) => {
        const { title, definition } = metricOf(key)
        return [key, shapeOf(key).meta({ title, description: definition })]
      }),
    ) as { [Key in keyof Metrics]: z.ZodType<Metrics[Key]> },
  )
  .meta({ id: 'Metrics', description: 'Every metric of METRICS.md' })

export const metricsAnswer = z
  .object({
    ...frame,
    period,
    complete_through: instant.nullable().meta({
      description: 'Every delivery acknowledged before it is in these numbers; null before the first',
    }),
    metrics,
  })
  .meta({ id: 'MetricsAnswer' }) satisfies z.ZodType<MetricsAnswer>

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

const { metrics: _, ...explained } = metricsAnswer.shape
const { as_of: __, ...between } = explained

export const changesAnswer = z
  .object({
    from: instant,
    to: instant,
    ...between,
    metrics: z.object({ from: metrics, to: metrics }),
    parts: z
      .array(z.object({ metric: metricKey, part: z.string(), from: count, to: count, difference: count }))
      .meta({
        description: 'The differences of the assignments below add up to these',
      }),
    total: count,
    next: z.string().nullable(),
    assignments: z.array(changeSchema),
  })
  .meta({ id: 'ChangesAnswer' })

export const explainAnswer = z
  .object({
    ...explained,
    metric: metricKey,
    title: z.string(),
    kind: z.enum(['count', 'rate', 'duration', 'list', 'object']),
    definition: z.string(),
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
