import type { TrendPeriod } from '../../schemas/metrics/answer.ts'
import { bandLabels, bandOption, type Chart, lineSeries, seriesColour } from './chart.ts'
import { niceScale, spread } from './scale.ts'
import { t } from '../../language/translate.ts'

export type TrendWords = {
  /** Name of a period on the axis. */
  period: (periodStart: string) => string
  count: (value: number) => string
}

/**
 * Assigned and completed per period, and overdue at its end. While the last period is running, its line is dotted for
 * sums; a level (overdue) is already final. A compared range is one dashed line: completed.
 */
export function trendChart(
  trend: TrendPeriod[],
  previous: TrendPeriod[] | null,
  words: TrendWords,
  isRunning = true,
): Chart {
  const before =
    previous === null
      ? []
      : alignEnds(
          previous.map((p) => p.completed),
          trend.length,
        )
  const lines = [
    { series: 'assigned', name: t('Assigned'), values: trend.map((p) => p.assigned), flow: true },
    { series: 'completed', name: t('Completed'), values: trend.map((p) => p.completed), flow: true },
    { series: 'overdue', name: t('Overdue'), values: trend.map((p) => p.overdue_at_end), flow: false },
  ] as const
  const scale = niceScale(Math.max(1, ...lines.flatMap((line) => line.values), ...before.filter((v) => v !== null)))
  const fromTop = (value: number) => 100 - (value / scale.max) * 100
  const marks = lines.map((line) => fromTop(line.values.at(-1) ?? 0))
  const places = spread(marks, 9, 98)
  return {
    option: bandOption(
      trend.map((p) => p.period_start),
      scale,
      [
        ...(previous === null
          ? []
          : [lineSeries(before, seriesColour.completed, { type: 'dashed', width: 1.5, opacity: 0.65 })]),
        ...lines.flatMap(({ series, values, flow }) => {
          const colour = seriesColour[series]
          const last = values.length - 1
          if (!flow || !isRunning || last < 1) return [lineSeries(values, colour)]
          return [
            lineSeries([...values.slice(0, last), null], colour),
            lineSeries(
              values.map((v, i) => (i < last - 1 ? null : v)),
              colour,
              { type: 'dotted' },
            ),
          ]
        }),
      ],
    ),
    ticks: scale.ticks,
    bands: trend.length,
    running: isRunning && trend.length > 0 ? trend.length - 1 : null,
    xLabels: bandLabels(trend.map((p) => words.period(p.period_start))),
    labels: lines.map(({ series, name, values }, i) => ({
      series,
      name,
      value: words.count(values.at(-1) ?? 0),
      markPercent: marks[i] ?? 0,
      labelPercent: places[i] ?? 0,
    })),
  }
}

/** The same number of periods, aligned at the newest; missing old periods are gaps, not zeros. */
function alignEnds(values: number[], length: number): (number | null)[] {
  return Array.from({ length }, (_, i) => values[values.length - length + i] ?? null)
}
