import type { Metrics } from '../../schemas/metrics/answer.ts'
import { bandChart, type Chart, columnSeries, niceScale, bandLabels } from './chart.ts'
import type { DueCohort } from '../../reporting/metrics/overview.ts'
import { addDays } from '../../schemas/metrics/calendar.ts'
import type { Format } from '../../language/format.ts'
import { t } from '../../language/translate.ts'

/** A histogram needs enough values; below this number every grade is a dot. */
export const fewestForHistogram = 10

export function gradeChart({ histogram }: Metrics['grade'], words: { count: (n: number) => string }): Chart {
  const edges = [...histogram.map(({ from }) => from), 100].map((edge) => ({
    percent: edge,
    text: words.count(edge),
  }))
  return histogramChart(histogram, edges)
}

/** `edges`: the labels below the borders of the bins. */
export function histogramChart(
  bins: readonly { from: number; count: number }[],
  edges: readonly { percent: number; text: string }[],
): Chart {
  const counts = bins.map(({ count }) => count)
  return {
    ...bandChart(
      bins.map(({ from }) => String(from)),
      niceScale(Math.max(1, ...counts)),
      [columnSeries(counts, 'grade')],
    ),
    running: null,
    xLabels: edges.map((edge, i) => ({ ...edge, rank: i % 2 === 0 ? 0 : 1 })),
    labels: [],
  }
}

const cohortSeries = [
  { series: 'on_time', name: 'On time' },
  { series: 'late', name: 'Completed late' },
  { series: 'open', name: 'Open' },
] as const

/** Assignments by the week of their due date, stacked: on time below, late above, open on top. `target`: of the decided ones, 0..1. */
export function cohortChart(
  cohorts: DueCohort[],
  words: Pick<Format, 'day' | 'count'>,
  today: string,
  target: number | null = null,
): Chart {
  const scale = niceScale(Math.max(1, ...cohorts.map((c) => c.on_time + c.late + c.open)))
  const weeks = cohorts.map((c) => c.period_start)
  const columns = cohortSeries.map(({ series }) => {
    const counts = cohorts.map((c) => c[series])
    return columnSeries(counts, series, { stack: 'due', barWidth: '72%' })
  })
  const toTarget = ({ on_time, late }: DueCohort, share: number) =>
    on_time + late === 0 ? null : 1 - ((on_time + late) * share) / scale.max
  const running = cohorts.findIndex((c) => c.period_start <= today && today < addDays(c.period_start, 7))
  return {
    ...bandChart(weeks, scale, columns),
    ...(target !== null && { targets: cohorts.map((each) => toTarget(each, target)) }),
    running: running === -1 ? null : running,
    xLabels: bandLabels(weeks.map((week) => words.day(week))),
    labels: cohortSeries.map(({ series, name }) => ({
      series,
      name: t(name),
      value: words.count(cohorts.reduce((sum, c) => sum + c[series], 0)),
      markPercent: 0,
      labelPercent: 0,
    })),
  }
}
