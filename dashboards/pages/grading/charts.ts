import { t } from '../../../language/translate.ts'
import type { Chart } from '../../charts/chart.ts'
import { linesChart } from '../../charts/lines-chart.ts'
import { targetOf } from '../../components/figures/comparisons.ts'
import { endsRunning, periodName } from '../../components/figures/periods.tsx'
import { fewestToRank } from '../../components/figures/findings.ts'
import type { GradingView } from './tables.tsx'

const dayMs = 86_400_000

/** Median and 90% per period in days. Medians of few are dots and not part of the line. */
export function turnaroundChart({ data: { turnaround, answer, period }, context }: GradingView): Chart {
  const { format } = context
  const trusted = turnaround.map((each) => (each.n >= fewestToRank ? each : null))
  const newest = trusted.findLast((each) => each !== null)
  const inDays = (ms: number | null | undefined) => (ms == null ? null : ms / dayMs)
  const toLine = (key: 'p50_ms' | 'p90_ms') => {
    const last = newest?.[key]
    return {
      values: trusted.map((each) => inDays(each?.[key])),
      newest: last == null ? t('no data') : format.duration(last),
    }
  }
  return linesChart({
    bands: turnaround.map(({ period_start }) => periodName(period_start, period, context)),
    lines: [
      { series: 'half', name: t('Median'), ...toLine('p50_ms') },
      { series: 'most', name: t('90% within'), ...toLine('p90_ms') },
    ],
    count: format.decimal,
    running: endsRunning(turnaround, answer, period),
    target: inDays(targetOf(context, 'grading_turnaround')),
    dots: turnaround.map(({ n, p50_ms }) => (n > 0 && n < fewestToRank ? inDays(p50_ms) : null)),
  })
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
