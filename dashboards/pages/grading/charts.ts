import { t } from '../../../language/translate.ts'
import type { Chart } from '../../charts/chart.ts'
import { linesChart } from '../../charts/lines-chart.ts'
import { targetOf } from '../../components/figures/comparisons.ts'
import { endsRunning, periodName } from '../../components/figures/periods.tsx'
import { fewestToRank } from '../../components/figures/findings.ts'
import type { GradingView } from './view.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Median and 90% per period in days, or in hours if all are short. Medians of few are dots and not part of the line. */
export function turnaroundChart({ data: { turnaround, answer, period }, context }: GradingView): Chart {
  const { format } = context
  const trusted = turnaround.map((each) => (each.n >= fewestToRank ? each : null))
  const inUnits = (ms: number | null | undefined) => (ms == null ? null : ms / turnaroundUnit(turnaround).ms)
  const newest = trusted.findLast((each) => each !== null)
  const words = (ms: number | null | undefined) => (ms == null ? t('no data') : format.duration(ms))
  return linesChart({
    bands: turnaround.map(({ period_start }) => periodName(period_start, period, context)),
    lines: (
      [
        ['half', t('Median'), 'p50_ms'],
        ['most', t('90% within'), 'p90_ms'],
      ] as const
    ).map(([series, name, key]) => ({
      series,
      name,
      values: trusted.map((each) => inUnits(each?.[key])),
      newest: words(newest?.[key]),
    })),
    count: format.decimal,
    running: endsRunning(turnaround, answer, period),
    target: inUnits(targetOf(context, 'grading_turnaround')),
    dots: turnaround.map(({ n, p50_ms }) => (n > 0 && n < fewestToRank ? inUnits(p50_ms) : null)),
  })
}

/** The unit of the vertical axis of `turnaroundChart`. */
export function turnaroundUnit(turnaround: readonly { p90_ms: number | null }[]): {
  ms: number
  words: string
} {
  const isShort = turnaround.every(({ p90_ms }) => (p90_ms ?? 0) < 2 * dayMs)
  return isShort ? { ms: hourMs, words: t('in hours') } : { ms: dayMs, words: t('in days') }
}

export function backlogChart({ data: { backlog, answer, period }, context }: GradingView): Chart {
  return linesChart({
    bands: backlog.map(({ period_start }) => periodName(period_start, period, context)),
    lines: [
      { series: 'waiting', name: t('Waiting'), values: backlog.map(({ waiting_at_end }) => waiting_at_end) },
    ],
    count: context.format.count,
    running: endsRunning(backlog, answer, period),
  })
}
