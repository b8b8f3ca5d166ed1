/** Turns the blocks of an answer into the metrics of METRICS.md. */
import { toInstantOrNull } from '../../schemas/instant.ts'
import type { Metrics, MetricsAnswer, Period, TrendPeriod } from '../../schemas/metrics/answer.ts'
import { toPeriodStart, toTrendPeriods } from '../../schemas/metrics/calendar.ts'
import { both } from '../../schemas/metrics/facts.ts'
import {
  countWhere,
  metricOf,
  metricKeys,
  type metrics,
  partsOfDuration,
  toRate,
  toRatio,
  type DurationKey,
  type Metric,
} from '../../schemas/metrics/metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Blocks, CompleteBlocks, DayKind } from './blocks.ts'

export function toMetricsAnswer(blocks: CompleteBlocks, scope: Scope): MetricsAnswer {
  return {
    as_of: new Date(scope.asOf).toISOString(),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    period: scope.period,
    complete_through: toInstantOrNull(blocks.complete_through),
    metrics: toMetrics(blocks, scope),
  }
}

/** Metrics that follow from facts and people alone. */
const countedBy = ['count', 'rate', 'lines', 'rates', 'people'] as const
type CountedKey = {
  [Key in keyof Metrics]: (typeof metrics)[Key]['by'] extends Counted ? Key : never
}[keyof Metrics]
type Counted = (typeof countedBy)[number]
export type Counts = Pick<Metrics, CountedKey>

/** Numbers of blocks with the detail `counts`. */
export function toCounts(blocks: Blocks, scope: Scope): Counts {
  return toMetrics(blocks, scope, ({ by }) => countedBy.some((each) => each === by))
}

function toMetrics(blocks: Blocks, scope: Scope, isAsked: (metric: Metric) => boolean = () => true): Metrics {
  const asked = metricKeys.filter((key) => isAsked(metricOf(key)))
  return Object.fromEntries(asked.map((key) => [key, toMetric(key, blocks, scope)])) as Metrics
}

function toMetric(key: keyof Metrics, blocks: Blocks, scope: Scope): Metrics[keyof Metrics] {
  const metric = metricOf(key)
  const { facts } = blocks
  switch (metric.by) {
    case 'count':
      return { value: countWhere(facts, metric.of) }
    case 'rate':
      return toRate(facts, metric)
    case 'lines':
      return Object.entries(metric.lines).map(([name, condition]) => ({
        [metric.name]: name,
        count: countWhere(facts, condition),
      })) as Metrics['funnel']
    case 'people': {
      const [people, complete] = blocks.people
      return { value: toRatio(complete, people), numerator: complete, denominator: people, excluded: {} }
    }
    case 'grades':
      return blocks.grade
    case 'backlog': {
      const [value, partially_graded] = [metric.of, both(metric.of, metric.partly)].map((of) =>
        countWhere(facts, of),
      ) as [number, number]
      return { value, untouched: value - partially_graded, partially_graded, ...blocks.ages }
    }
    case 'duration': {
      const unknown = countWhere(facts, partsOfDuration(metric).unknown)
      return { ...blocks.durations[key as DurationKey], unknown }
    }
    case 'rates': {
      const rates = Object.entries(metric.rates).map(([name, shape]) => [
        name,
        toRate(facts, { ...shape, of: both(metric.of, shape.of) }),
      ])
      return {
        value: countWhere(facts, metric.of),
        ...Object.fromEntries(rates),
      } as Metrics['deadline_moves']
    }
    case 'periods':
      return 'became_overdue' in metric.lines
        ? toTrend(blocks.days, scope)
        : toCohorts(blocks.days, scope.period)
  }
}

/** Sums by the period of their day, ascending. */
function sumByPeriod(days: Blocks['days'][DayKind], period: Period): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [day, n] of days) {
    const start = toPeriodStart(period, day)
    sums.set(start, (sums.get(start) ?? 0) + n)
  }
  return sums
}

function toCohorts(days: Blocks['days'], period: Period): Metrics['cohorts'] {
  const completed = sumByPeriod(days.created_completed, period)
  return [...sumByPeriod(days.created, period)].map(([period_start, assigned]) => ({
    period_start,
    assigned,
    completed: completed.get(period_start) ?? 0,
  }))
}

/**
 * A period's end is its last millisecond or T, and every day in the block is up to T: so "up to its end" is "up to its
 * days".
 */
function toTrend(days: Blocks['days'], scope: Scope): TrendPeriod[] {
  const starts = toTrendPeriods(scope)
  if (starts === undefined)
    throw new RangeError('The trend has too many periods; parseScope refuses such a scope')
  const sums = (kind: DayKind) => sumByPeriod(days[kind], scope.period)
  const [assigned, completed, graded] = [sums('created'), sums('completed'), sums('graded')]
  const [turned, began, ended] = [sums('overdue_turned'), sums('overdue_began'), sums('overdue_ended')]
  const at = (sum: Map<string, number>, start: string) => sum.get(start) ?? 0
  const before = (sum: Map<string, number>) =>
    [...sum].reduce((total, [start, count]) => (start < starts[0]! ? total + count : total), 0)
  let overdue = before(began) - before(ended)
  return starts.map((period_start) => {
    overdue += at(began, period_start) - at(ended, period_start)
    return {
      period_start,
      assigned: at(assigned, period_start),
      completed: at(completed, period_start),
      graded: at(graded, period_start),
      became_overdue: at(turned, period_start),
      overdue_at_end: overdue,
    }
  })
}
