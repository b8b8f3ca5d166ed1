import type { DaysToComplete } from '../../../reporting/columns/days-to-complete.ts'
import { rich, t } from '../../../language/translate.ts'
import type { Duration } from '../../../schemas/metrics/answer.ts'
import { Count } from '../../components/count.tsx'
import { explainHref, Figure } from '../../components/figure.tsx'
import { Plot } from '../../components/plot.tsx'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { type Format, counted } from '../../../language/format.ts'
import type { DrawnChart } from '../../components/figures/figures.tsx'
import type { Chart } from '../../charts/chart.ts'
import { histogramChart } from '../../charts/column-charts.ts'

/** Assignments that were completed after `from` to under `to` whole days; the last goes on for ever. */
export type DaysBin = { from: number; to: number | null; count: number }

const widths = [1, 2, 3, 7, 14, 30, 60, 120]
const most = 12

/** Bins of equal width, at most twelve, of `took` in order of days; what took longer than nineteen in twenty is in the last. */
export function toDaysBins(took: DaysToComplete): DaysBin[] {
  const n = took.reduce((sum, each) => sum + each.n, 0)
  if (n === 0) return []
  let total = 0
  const long = took.find((each) => (total += each.n) >= n * 0.95)?.days ?? 0
  const width = widths.find((each) => (long + 1) / each <= most - 1) ?? Math.ceil((long + 1) / (most - 1))
  const longest = took.at(-1)?.days ?? 0
  const bins = Math.min(most, Math.floor(longest / width) + 1)
  return Array.from({ length: bins }, (_, bin): DaysBin => {
    const isLast = bin === bins - 1
    const to = isLast && longest >= (bin + 1) * width ? null : (bin + 1) * width
    const isIn = ({ days }: { days: number }) => days >= bin * width && (to === null || days < to)
    return { from: bin * width, to, count: took.filter(isIn).reduce((sum, each) => sum + each.n, 0) }
  })
}

export function daysChart(bins: readonly DaysBin[], words: { count: (n: number) => string }): Chart {
  const edges = bins.map(({ from, to }, i) => ({
    percent: (i / bins.length) * 100,
    text: to === null ? `${words.count(from)}+` : words.count(from),
  }))
  return histogramChart(bins, edges)
}

type DaysFigureProps = {
  context: PageContext
  duration: Duration
  bins: readonly DaysBin[]
  drawn: DrawnChart
  csv: string
}

/** How long completing takes: its distribution, the median and the 90th percentile. */
export function DaysFigure({ context, duration, bins, drawn, csv }: DaysFigureProps) {
  const { format } = context
  const count = (part: 'n' | 'censored', words: string) => (
    <Count context={context} n={duration[part]} narrow={{ metric: 'time_to_complete', part }}>
      {words}
    </Count>
  )
  const finding = daysFinding(duration, format)
  return (
    <Figure
      id="days"
      title={t('How long does it take?')}
      finding={finding}
      defines={['time_to_complete']}
      csv={csv}
      sql={explainHref(context, 'time_to_complete')}
      folded
      table={{
        caption: t('Completed assignments by the whole days they took'),
        columns: [t('Days'), t('Completed'), t('Share')],
        rows: bins.map(({ from, to, count }) => [
          to === null
            ? t('{from} or more', { from: format.count(from) })
            : to === from + 1
              ? format.count(from)
              : t('{from} to {to}', { from: format.count(from), to: format.count(to - 1) }),
          format.count(count),
          format.percent(count / duration.n),
        ]),
      }}
    >
      {duration.n === 0 ? (
        <p class="empty">{t('Nothing has been completed in this scope.')}</p>
      ) : (
        <div class={duration.n < fewestToRank ? 'few' : undefined}>
          <Plot {...drawn} format={format} label={t('Columns by days to complete. {finding}', { finding })} />
        </div>
      )}
      <p class="quiet">
        {rich(
          duration.unknown === 0
            ? '{measured} and {waiting}.'
            : '{measured} and {waiting}; {unknown} left out, because nobody knows when they began or ended.',
          {
            measured: count('n', counted(format, duration.n, 'completed assignment')),
            waiting: count(
              'censored',
              t('{censored} still open count with the time that they have waited', {
                censored: format.count(duration.censored),
              }),
            ),
            unknown: format.count(duration.unknown),
          },
        )}
      </p>
    </Figure>
  )
}

function daysFinding({ p50_ms, p90_ms, n, censored }: Duration, format: Format): string {
  if (n === 0) return t('Nothing has been completed in this scope, so no time can be told.')
  const of = `n = ${format.count(n)}`
  if (p50_ms === null)
    return t('Fewer than half will have completed by any time seen ({of}, {open} still open).', {
      of,
      open: format.count(censored),
    })
  const half = format.durationAfter(p50_ms)
  return p90_ms === null
    ? t('Half are completed within {half}; less than 90% are completed ({of}).', { half, of })
    : t('Half are completed within {half}, nine in ten within {most} ({of}).', {
        half,
        most: format.durationAfter(p90_ms),
        of,
      })
}
