import type { DueCohort } from '../../reporting/metrics/overview.ts'
import { bandLabels, bandChart, type Chart, columnSeries, targetSeries } from './chart.ts'
import { addDays } from '../../schemas/metrics/calendar.ts'
import { niceScale } from './scale.ts'
import type { Format } from '../../language/format.ts'
import { t } from '../../language/translate.ts'

const cohortSeries = [
  { series: 'on_time', name: 'On time' },
  { series: 'late', name: 'Late' },
  { series: 'open', name: 'Open' },
] as const

/** What fell due in each week, stacked: on time below, late above it, open on top. `target`: of what is decided, 0..1. */
export function cohortChart(
  cohorts: DueCohort[],
  words: Pick<Format, 'day' | 'count'>,
  today: string,
  target: number | null = null,
): Chart {
  const totals = cohorts.map((c) => c.on_time + c.late + c.open)
  const scale = niceScale(Math.max(1, ...totals))
  const running = cohorts.findIndex((c) => c.period_start <= today && today < addDays(c.period_start, 7))
  return {
    ...bandChart(
      cohorts.map((c) => c.period_start),
      scale,
      [
        ...cohortSeries.map(({ series }) =>
          columnSeries(
            cohorts.map((c) => c[series]),
            series,
            { stack: 'due', barWidth: '72%' },
          ),
        ),
        ...targetSeries(target === null ? null : cohorts.map((c) => (c.on_time + c.late) * target)),
      ],
    ),
    running: running === -1 ? null : running,
    xLabels: bandLabels(cohorts.map((c) => words.day(c.period_start))),
    labels: cohortSeries.map(({ series, name }) => ({
      series,
      name: t(name),
      value: words.count(cohorts.reduce((sum, c) => sum + c[series], 0)),
      markPercent: 0,
      labelPercent: 0,
    })),
  }
}
