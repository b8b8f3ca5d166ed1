/** The shapes of `/api/metrics`: the counts, rates, durations and lists of METRICS.md, by metric key. */

export type Count = { value: number }

/** `value` is 0..1, or `null` ("no data") where the denominator is 0. `excluded` names every reason, zeros too. */
export type Rate<Reason extends string = never> = {
  value: number | null
  numerator: number
  denominator: number
  excluded: Record<Reason, number>
}

/** Kaplan-Meier: `null` where survival never falls so far. `n` reached the end, `censored` have not yet, `unknown` are left out. */
export type Duration = {
  p50_ms: number | null
  p90_ms: number | null
  n: number
  censored: number
  unknown: number
}

export const agingBuckets = ['1-7', '8-14', '15-30', '31-60', '61-90', '91+'] as const
export type AgingBucket = (typeof agingBuckets)[number]

/** The first that holds, in this order. */
export const effectiveStatuses = [
  'completed',
  'failed',
  'awaiting_grading',
  'overdue',
  'in_progress',
  'not_started',
] as const
export type EffectiveStatus = (typeof effectiveStatuses)[number]

export const funnelStages = ['assigned', 'viewed', 'started', 'submitted', 'graded', 'passed'] as const
export type FunnelStage = (typeof funnelStages)[number]

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

export type OnTimeRate = Rate<
  'no_due_date' | 'no_completion_time' | 'failed' | 'awaiting_grading' | 'not_due_yet'
>

export type TrendPeriod = {
  /** Calendar date of the reporting zone, YYYY-MM-DD. */
  period_start: string
  assigned: number
  completed: number
  graded: number
  became_overdue: number
  overdue_at_end: number
}

export type Metrics = {
  assigned: Count
  completion_rate: Rate
  people_fully_complete: Rate
  on_time_rate: OnTimeRate
  submitted_on_time_rate: Rate<'no_due_date' | 'failed' | 'not_due_yet' | 'unknown'>
  overdue: Count
  overdue_rate: Rate<'no_due_date'>
  aging: { bucket: AgingBucket; count: number }[]
  due_soon: Count
  statuses: { status: EffectiveStatus; count: number }[]
  pass_rate: Rate<'awaiting_grading'>
  grade: {
    n: number
    mean: number | null
    median: number | null
    histogram: { from: number; to: number; count: number }[]
  }
  grading_backlog: {
    value: number
    untouched: number
    partially_graded: number
    p50_age_ms: number | null
    oldest_age_ms: number | null
  }
  reviewer_overdue: Count
  reviewer_on_time: Rate<'no_reviewers_due_date' | 'unknown' | 'not_due_yet'>
  grading_turnaround: Duration
  time_to_complete: Duration
  funnel: { stage: FunnelStage; count: number }[]
  cohorts: { period_start: string; assigned: number; completed: number }[]
  trend: TrendPeriod[]
  deadline_moves: { value: number; on_time_by_first: OnTimeRate; on_time_by_current: OnTimeRate }
  reported_mismatch: Count
}

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
