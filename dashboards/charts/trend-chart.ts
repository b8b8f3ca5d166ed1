import type { TrendPeriod } from '../../schemas/metrics/answer.ts'
import type { Chart } from './chart.ts'
import { linesChart } from './lines-chart.ts'
import { t } from '../../language/translate.ts'

/**
 * Assigned and completed per period, and overdue at its end. While the last period is running, its line is dotted for
 * sums; a level (overdue) is already final. A compared range is one dashed line: completed.
 */
export function trendChart(
  trend: TrendPeriod[],
  previous: TrendPeriod[] | null,
  words: { period: (start: string) => string; count: (value: number) => string },
  isRunning = true,
): Chart {
  const completed = previous?.map((p) => p.completed)
  return linesChart({
    bands: trend.map((p) => words.period(p.period_start)),
    lines: [
      { series: 'assigned', name: t('Assigned'), values: trend.map((p) => p.assigned), isSum: true },
      { series: 'completed', name: t('Completed'), values: trend.map((p) => p.completed), isSum: true },
      { series: 'overdue', name: t('Overdue'), values: trend.map((p) => p.overdue_at_end) },
    ],
    count: words.count,
    running: isRunning,
    before: completed === undefined ? null : alignEnds(completed, trend.length),
  })
}

/** The same number of periods, aligned at the newest; missing old periods are gaps, not zeros. */
function alignEnds(values: number[], length: number): (number | null)[] {
  return Array.from({ length }, (_, i) => values[values.length - length + i] ?? null)
}
