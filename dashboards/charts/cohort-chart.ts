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
  const due = target === null ? null : cohorts.map((c) => (c.on_time + c.late) * target)
  const running = cohorts.findIndex((c) => c.period_start <= today && today < addDays(c.period_start, 7))
  return {
    ...bandChart(weeks, scale, [...columns, ...targetSeries(due)]),
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
