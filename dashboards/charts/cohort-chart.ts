import type { DueCohort } from '../../reporting/metrics/overview.ts'
import { type Chart, bandAxis, bandLabels, bareGrid, countAxis, seriesColour, targetLine } from './chart.ts'
import { addDays } from '../../schemas/metrics/calendar.ts'
import { niceScale } from './scale.ts'
import { t } from '../../language/translate.ts'

export const cohortSeries = [
  { series: 'on_time', name: 'On time' },
  { series: 'late', name: 'Late' },
  { series: 'open', name: 'Open' },
] as const

export type CohortWords = { week: (periodStart: string) => string; count: (n: number) => string }

/** What fell due in each week, stacked: on time below, late above it, open on top. `target`: of what is decided, 0..1. */
export function cohortChart(
  cohorts: DueCohort[],
  words: CohortWords,
  today: string,
  target: number | null = null,
): Chart {
  const totals = cohorts.map((c) => c.on_time + c.late + c.open)
  const scale = niceScale(Math.max(1, ...totals))
  const running = cohorts.findIndex((c) => c.period_start <= today && today < addDays(c.period_start, 7))
  return {
    option: {
      animation: false,
      grid: bareGrid,
      xAxis: bandAxis(cohorts.map((c) => c.period_start)),
      yAxis: countAxis(scale),
      series: [
        ...cohortSeries.map(({ series }) => ({
          type: 'bar',
          stack: 'due',
          data: cohorts.map((c) => c[series]),
          silent: true,
          clip: false,
          barWidth: '72%',
          itemStyle: { color: seriesColour[series] },
        })),
        ...(target === null ? [] : [targetLine(cohorts.map((c) => (c.on_time + c.late) * target))]),
      ],
    },
    ticks: scale.ticks,
    bands: cohorts.length,
    running: running === -1 ? null : running,
    xLabels: bandLabels(cohorts.map((c) => words.week(c.period_start))),
    labels: cohortSeries.map(({ series, name }) => ({
      series,
      name: t(name),
      value: words.count(cohorts.reduce((sum, c) => sum + c[series], 0)),
      markPercent: 0,
      labelPercent: 0,
    })),
  }
}
