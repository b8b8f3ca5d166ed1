/** The shapes of `/api/metrics`: the counts, rates, durations and lists of METRICS.md, by metric key. */
import type { metrics, Rate } from './metrics.ts'

export { agingBuckets, effectiveStatuses, type AgingBucket, type EffectiveStatus } from './facts.ts'
export type { Rate } from './metrics.ts'

export type Count = { value: number }

/** Kaplan-Meier: `null` where survival never falls so far. `n` reached the end, `censored` have not yet, `unknown` are left out. */
export type Duration = {
  p50_ms: number | null
  p90_ms: number | null
  n: number
  censored: number
  unknown: number
}

export type Grades = {
  n: number
  mean: number | null
  median: number | null
  histogram: { from: number; to: number; count: number }[]
}

type Backlog = {
  value: number
  untouched: number
  partially_graded: number
  p50_age_ms: number | null
  oldest_age_ms: number | null
}

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

type Names<Of> = Extract<keyof Of, string>
/** What a row of the table of metrics answers. */
type AnswerOf<Of> = Of extends { by: 'count' }
  ? Count
  : Of extends { by: 'rate'; excluded: infer Excluded }
    ? Rate<Names<Excluded>>
    : Of extends { by: 'people' }
      ? Rate
      : Of extends { by: 'lines'; name: infer Name extends string; lines: infer Lines }
        ? ({ [Each in Name]: Names<Lines> } & { count: number })[]
        : Of extends { by: 'periods'; lines: infer Lines }
          ? // Calendar dates of the reporting zone, YYYY-MM-DD.
            ({ period_start: string } & { [Each in Names<Lines>]: number })[]
          : Of extends { by: 'duration' }
            ? Duration
            : Of extends { by: 'grades' }
              ? Grades
              : Of extends { by: 'backlog' }
                ? Backlog
                : Of extends { by: 'rates'; rates: infer Rates }
                  ? Count & { [Each in keyof Rates]: AnswerOf<Rates[Each]> }
                  : never

type Table = typeof metrics
export type Metrics = { [Key in keyof Table]: AnswerOf<Table[Key]> }
export type TrendPeriod = Metrics['trend'][number]

export type DueEnd = 'end_of_day' | 'instant'

export type MetricsAnswer = {
  /** ISO 8601, UTC, milliseconds; so are all instants. */
  as_of: string
  time_zone: string
  due_zone: string
  due_end: DueEnd
  period: Period
  /** Every delivery acknowledged before this instant of receipt is in these numbers; `null` before the first. */
  complete_through: string | null
  metrics: Metrics
}
