/** The shapes of `/api/metrics`: the counts, rates, durations and lists of METRICS.md, by metric key. */
import type { Metric, metrics, Rate } from './metrics.ts'

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

/** The names of what a row of the table of metrics has under a key. */
type Names<Row, Key extends string> = Row extends { [K in Key]: infer Of } ? Extract<keyof Of, string> : never
/** What a row answers. Periods begin on calendar dates of the reporting zone, YYYY-MM-DD. */
type AnswerOf<Row extends { by: string }> = {
  count: Count
  rate: Rate<Names<Row, 'excluded'>>
  people: Rate
  lines: ({
    [Each in Row extends { name: infer Name extends string } ? Name : never]: Names<Row, 'lines'>
  } & {
    count: number
  })[]
  periods: ({ period_start: string } & { [Each in Names<Row, 'lines'>]: number })[]
  duration: Duration
  grades: Grades
  backlog: Backlog
  rates: Count &
    (Row extends { rates: infer Rates }
      ? { [Each in keyof Rates]: Rate<Names<Rates[Each], 'excluded'>> }
      : never)
}[Row['by'] & Metric['by']]

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
