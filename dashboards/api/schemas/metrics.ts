/** The shapes of `/api/metrics` for OpenAPI; the compiler compares them with `schemas/metrics/answer.ts`. */
import { z } from 'zod'
import {
  agingBuckets,
  effectiveStatuses,
  funnelStages,
  type Metrics,
  type MetricsAnswer,
} from '../../../schemas/metrics/answer.ts'
import { metricKeys, metrics as table } from '../../../schemas/metrics/metrics.ts'
import { calendarDate, count, frame, instant, period, rate } from './values.ts'

const value = z.object({ value: count })
const milliseconds = z.number().nullable()
const duration = z.object({ p50_ms: milliseconds, p90_ms: milliseconds, n: count, censored: count, unknown: count })
const onTimeRate = rate('no_due_date', 'no_completion_time', 'failed', 'awaiting_grading', 'not_due_yet')

const shapes = {
  assigned: value,
  completion_rate: rate(),
  people_fully_complete: rate(),
  on_time_rate: onTimeRate,
  submitted_on_time_rate: rate('no_due_date', 'failed', 'not_due_yet', 'unknown'),
  overdue: value,
  overdue_rate: rate('no_due_date'),
  aging: z.array(z.object({ bucket: z.enum(agingBuckets), count })),
  due_soon: value,
  statuses: z.array(z.object({ status: z.enum(effectiveStatuses), count })),
  pass_rate: rate('awaiting_grading'),
  grade: z.object({
    n: count,
    mean: z.number().nullable(),
    median: z.number().nullable(),
    histogram: z.array(z.object({ from: z.number(), to: z.number(), count })),
  }),
  grading_backlog: z.object({
    value: count,
    untouched: count,
    partially_graded: count,
    p50_age_ms: milliseconds,
    oldest_age_ms: milliseconds,
  }),
  reviewer_overdue: value,
  reviewer_on_time: rate('no_reviewers_due_date', 'unknown', 'not_due_yet'),
  grading_turnaround: duration,
  time_to_complete: duration,
  funnel: z.array(z.object({ stage: z.enum(funnelStages), count })),
  cohorts: z.array(z.object({ period_start: calendarDate, assigned: count, completed: count })),
  trend: z.array(
    z.object({
      period_start: calendarDate,
      assigned: count,
      completed: count,
      graded: count,
      became_overdue: count,
      overdue_at_end: count,
    }),
  ),
  deadline_moves: z.object({ value: count, on_time_by_first: onTimeRate, on_time_by_current: onTimeRate }),
  reported_mismatch: value,
} satisfies { [Key in keyof Metrics]: z.ZodType<Metrics[Key]> }

export const metricKey = z.enum(metricKeys)

export const metrics = z
  .object(
    Object.fromEntries(
      Object.entries(shapes).map(([key, shape]) => [
        key,
        shape.meta({
          title: table[key as keyof Metrics].title,
          description: table[key as keyof Metrics].definition,
        }),
      ]),
    ) as typeof shapes,
  )
  .meta({ id: 'Metrics', description: 'Every metric of METRICS.md' })

export const metricsAnswer = z
  .object({
    ...frame,
    period,
    complete_through: instant
      .nullable()
      .meta({ description: 'Every delivery acknowledged before it is in these numbers; null before the first' }),
    metrics,
  })
  .meta({ id: 'MetricsAnswer' }) satisfies z.ZodType<MetricsAnswer>
