/**
 * Numbers for readers who may not ask for single people: counts are rounded to five, and everything else follows from rounded counts or is
 * rounded itself. Each number is rounded alone, so equal counts stay equal everywhere, and parts may miss their total by a little.
 */
import type { Duration, Metrics, Rate } from '../../schemas/metrics/answer.ts'
import { metricKeys, metricOf, toRatio } from '../../schemas/metrics/metrics.ts'
import { fewestPeople } from '../audience.ts'
import type { DueCohort, RankingRow } from '../metrics/overview.ts'
import type { GroupRow } from '../statements/groups.ts'
import type { Size } from './shown-groups.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Counts are rounded to a multiple of this. */
export const coarseStep = 5

export function toCoarseCount(count: number): number {
  return Math.round(count / coarseStep) * coarseStep
}

/** `size`: of the people behind the numbers. */
export function toCoarseMetrics(metrics: Metrics, size: Size): Metrics {
  return Object.fromEntries(metricKeys.map((key) => [key, toCoarse(key, metrics, size)])) as Metrics
}

function toCoarse(key: keyof Metrics, metrics: Metrics, size: Size): unknown {
  const [metric, value] = [metricOf(key), metrics[key] as object]
  switch (metric.by) {
    case 'count':
      return toCoarseCounts(value)
    case 'lines':
    case 'periods':
      return (value as object[]).map(toCoarseCounts)
    case 'rate':
    case 'people':
      return toCoarseRate(value as Rate<string>)
    case 'rates':
      return Object.fromEntries(
        Object.entries(value).map(([name, of]: [string, number | Rate<string>]) => [
          name,
          typeof of === 'number' ? toCoarseCount(of) : toCoarseRate(of),
        ]),
      )
    case 'wait':
      return toCoarseDuration(value as Duration, metric.block === 'time_to_complete' ? size.completed : size.graded)
    case 'grades':
      return toCoarseGrade(value as Metrics['grade'], size.grades)
    case 'backlog':
      return toCoarseBacklog(value as Metrics['grading_backlog'], size.waiting)
  }
}

export function toCoarseRow(row: RankingRow): RankingRow {
  return {
    ...toCoarseCounts(row),
    completion_rate: toCoarseRate(row.completion_rate),
    on_time_rate: toCoarseRate(row.on_time_rate),
  }
}

/** `size`: of the people of the line. */
export function toCoarseLine(row: GroupRow, size: Size): GroupRow {
  const { n, median } = toCoarseGrade({ ...row.grade, mean: null, histogram: [] }, size.grades)
  return { ...toCoarseRow(row), grade: { n, median } }
}

export function toCoarseCohort(cohort: DueCohort): DueCohort {
  return toCoarseCounts(cohort)
}

function toCoarseCounts<Counts extends object>(counts: Counts): Counts {
  const entries = Object.entries(counts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' ? toCoarseCount(value) : value,
  ])
  return Object.fromEntries(entries) as Counts
}

function toCoarseRate<Reason extends string>({ numerator, denominator, excluded }: Rate<Reason>): Rate<Reason> {
  const [part, whole] = [toCoarseCount(numerator), toCoarseCount(denominator)]
  return { value: toRatio(part, whole), numerator: part, denominator: whole, excluded: toCoarseCounts(excluded) }
}

function toCoarseGrade({ n, mean, median, histogram }: Metrics['grade'], people: number): Metrics['grade'] {
  const isShown = people >= fewestPeople && toCoarseCount(n) > 0
  const whole = (grade: number | null) => (grade === null || !isShown ? null : Math.round(grade))
  return {
    n: isShown ? toCoarseCount(n) : 0,
    mean: whole(mean),
    median: whole(median),
    histogram: histogram.map(({ from, to, count }) => ({ from, to, count: isShown ? toCoarseCount(count) : 0 })),
  }
}

function toCoarseBacklog(backlog: Metrics['grading_backlog'], people: number): Metrics['grading_backlog'] {
  return {
    ...toCoarseCounts(backlog),
    p50_age_ms: people < fewestPeople ? null : toCoarseTime(backlog.p50_age_ms),
    // The age of one assignment.
    oldest_age_ms: null,
  }
}

/** `people`: those who have reached the end. */
function toCoarseDuration({ p50_ms, p90_ms, ...counts }: Duration, people: number): Duration {
  const isShown = people >= fewestPeople
  return {
    p50_ms: isShown ? toCoarseTime(p50_ms) : null,
    p90_ms: isShown ? toCoarseTime(p90_ms) : null,
    ...toCoarseCounts(counts),
  }
}

/** Whole days; of less than two, whole hours. */
function toCoarseTime(ms: number | null): number | null {
  if (ms === null) return null
  const unit = ms < 2 * dayMs ? hourMs : dayMs
  return Math.round(ms / unit) * unit
}
