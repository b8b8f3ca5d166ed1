/** The shapes of `/api/metrics` for OpenAPI, each by the kind of its metric. */
import { z } from 'zod'
import type { Metrics, MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import { metricKeys, metricOf } from '../../../schemas/metrics/metrics.ts'
import { calendarDate, count, frame, instant, period, rate } from '../../../schemas/answers/values.ts'

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

export const metrics = z
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
