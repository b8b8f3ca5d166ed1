import { t } from '../../../language/translate.ts'
import type { Grading } from '../../../reporting/queries/grading.ts'
import type { Chart } from '../../charts/chart.ts'
import { linesChart } from '../../charts/lines-chart.ts'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { targetOf } from '../../components/figures/against-target.ts'
import { periodName } from '../../components/figures/figures.tsx'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** p50 and p90 per period in days, or in hours where all of them are short. Medians of few are dots and not part of the line. */
export function turnaroundChart({ turnaround }: Grading, period: string, context: PageContext): Chart {
  const { format } = context
  const trusted = turnaround.map((each) => (each.n >= fewestToRank ? each : null))
  const unitMs = turnaroundUnit({ turnaround }) === 'hours' ? hourMs : dayMs
  const inUnits = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : ms / unitMs)
  const newest = trusted.findLast((each) => each !== null)
  const words = (ms: number | null | undefined) =>
    ms === null || ms === undefined ? t('no data') : format.duration(ms)
  return linesChart({
    bands: turnaround.map(({ period_start }) => periodName(period_start, period, context)),
    lines: [
      {
        series: 'half',
        name: t('half within'),
        values: trusted.map((each) => inUnits(each?.p50_ms)),
        newest: words(newest?.p50_ms),
      },
      {
        series: 'most',
        name: t('9 in 10 within'),
        values: trusted.map((each) => inUnits(each?.p90_ms)),
        newest: words(newest?.p90_ms),
      },
    ],
    count: format.decimal,
    running: true,
    target: inUnits(targetOf(context, 'grading_turnaround')),
    dots: turnaround.map(({ n, p50_ms }) => (n > 0 && n < fewestToRank ? inUnits(p50_ms) : null)),
  })
}

export function backlogChart({ backlog }: Grading, period: string, context: PageContext): Chart {
  return linesChart({
    bands: backlog.map(({ period_start }) => periodName(period_start, period, context)),
    lines: [{ series: 'waiting', name: t('Waiting'), values: backlog.map(({ waiting_at_end }) => waiting_at_end) }],
    count: context.format.count,
    running: true,
  })
}

/** The unit of the vertical axis of `turnaroundChart`. */
export function turnaroundUnit({ turnaround }: Pick<Grading, 'turnaround'>): 'hours' | 'days' {
  return Math.max(0, ...turnaround.map(({ p90_ms }) => p90_ms ?? 0)) < 2 * dayMs ? 'hours' : 'days'
}
