/** Draws the charts of `figures.tsx`. */
import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Chart } from '../../charts/chart.ts'
import { cohortChart, gradeChart } from '../../charts/column-charts.ts'
import { trendChart } from '../../charts/lines-chart.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { PageContext } from '../../page-context.ts'
import { targetOf } from './comparisons.ts'
import { type DrawnChart, endsRunning, periodName } from './figures.tsx'

export function drawTrend(
  overview: Overview,
  context: PageContext,
  routes: RouteContext,
): Promise<DrawnChart> {
  const { metrics, period } = overview.answer
  const isRunning = endsRunning(metrics.trend, overview.answer, period)
  const words = { count: context.format.count, period: (start: string) => periodName(start, period, context) }
  return draw(trendChart(metrics.trend, words, isRunning), routes)
}

export function drawGrades(
  overview: Overview,
  { format }: PageContext,
  routes: RouteContext,
): Promise<DrawnChart> {
  return draw(gradeChart(overview.answer.metrics.grade, format), routes)
}

export function drawCohorts(
  { answer, due_cohorts: cohorts }: Overview,
  context: PageContext,
  routes: RouteContext,
): Promise<DrawnChart> {
  const today = toLocalDate(answer.time_zone, Date.parse(answer.as_of))
  return draw(cohortChart(cohorts, context.format, today, targetOf(context, 'on_time_rate')), routes)
}

/** A chart that cannot be drawn affects its figure, not the page. */
export async function draw(chart: Chart, { charts, onError }: RouteContext): Promise<DrawnChart> {
  try {
    return { chart, svg: await charts.render(chart.option) }
  } catch (error) {
    onError(error)
    return { chart, svg: null }
  }
}
