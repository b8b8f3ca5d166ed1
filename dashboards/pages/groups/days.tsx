/** How long completing takes: its distribution, the median and the 90th percentile. */
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import type { DaysToComplete } from '../../../reporting/columns/days-to-complete.ts'
import type { Duration } from '../../../schemas/metrics/answer.ts'
import type { Chart } from '../../charts/chart.ts'
import { histogramChart } from '../../charts/column-charts.ts'
import { column, type Table } from '../../components/table.tsx'

/** Assignments that were completed after `from` to under `to` whole days; the last has no end. */
export type DaysBin = { from: number; to: number | null; count: number }

const widths = [1, 2, 3, 7, 14, 30, 60, 120]
const most = 12

/** Bins of equal width, at most twelve, of `took` in order of days; the last holds the slowest 5%. */
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

export const daysTable = ({ n }: Duration, format: Format): Table<DaysBin> => ({
  label: 'Days to complete',
  nameOf: ({ from, to }) => {
    if (to === null) return t('{from} or more', { from: format.count(from) })
    return to === from + 1
      ? format.count(from)
      : t('{from} to {to}', { from: format.count(from), to: format.count(to - 1) })
  },
  columns: [
    column('count', 'days_from', 'Days', ({ from }) => from),
    column('count', 'days_to', 'Days, to', ({ to }) => (to === null ? null : to - 1), { only: 'file' }),
    column('count', 'completed', 'Completed', ({ count }) => count),
    column('percent', 'share', 'Share§part', ({ count }) => (n === 0 ? null : count / n), { only: 'page' }),
  ],
})

export function daysFinding({ p50_ms, p90_ms, n, censored, unknown }: Duration, format: Format): string {
  const open =
    unknown === 0 ? '' : ` ${t('{n} not counted: start or end unknown.', { n: format.count(unknown) })}`
  const words = { n: format.count(n), open: format.count(censored) }
  if (n === 0) return `${t('Nothing completed yet.')}${open}`
  if (p50_ms === null)
    return `${t('Fewer than half are completed ({n} completed, {open} open).', words)}${open}`
  const median = format.duration(p50_ms)
  if (p90_ms === null)
    return `${t('Median {median} ({n} completed, {open} open).', { ...words, median })}${open}`
  const most = format.durationAfter(p90_ms)
  return `${t('Median {median}, 90% within {most} ({n} completed, {open} open).', { ...words, median, most })}${open}`
}
