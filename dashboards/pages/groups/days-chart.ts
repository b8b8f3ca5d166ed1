import type { Chart } from '../../charts/chart.ts'
import { histogramChart } from '../../charts/column-charts.ts'

/** Assignments that were completed after `from` to under `to` whole days; the last goes on for ever. */
export type DaysBin = { from: number; to: number | null; count: number }

const widths = [1, 2, 3, 7, 14, 30, 60, 120]
const most = 12

/** Bins of equal width, at most twelve; what took longer than nineteen in twenty is in the last. */
export function toDaysBins(ended: ReadonlyMap<number, number>): DaysBin[] {
  const days = [...ended].sort(([a], [b]) => a - b)
  const n = days.reduce((sum, [, count]) => sum + count, 0)
  if (n === 0) return []
  let total = 0
  const long = days.find(([, count]) => (total += count) >= n * 0.95)?.[0] ?? 0
  const width = widths.find((each) => (long + 1) / each <= most - 1) ?? Math.ceil((long + 1) / (most - 1))
  const longest = days.at(-1)?.[0] ?? 0
  const bins = Math.min(most, Math.floor(longest / width) + 1)
  return Array.from({ length: bins }, (_, bin): DaysBin => {
    const isLast = bin === bins - 1
    const to = isLast && longest >= (bin + 1) * width ? null : (bin + 1) * width
    const isIn = ([day]: [number, number]) => day >= bin * width && (to === null || day < to)
    return { from: bin * width, to, count: days.filter(isIn).reduce((sum, [, count]) => sum + count, 0) }
  })
}

export function daysChart(bins: readonly DaysBin[], words: { count: (n: number) => string }): Chart {
  const edges = bins.map(({ from, to }, i) => ({
    percent: (i / bins.length) * 100,
    text: to === null ? `${words.count(from)}+` : words.count(from),
  }))
  return histogramChart(bins, edges)
}
