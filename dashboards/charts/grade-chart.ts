import type { Metrics } from '../../schemas/metrics/answer.ts'
import { bandChart, type Chart, columnSeries } from './chart.ts'
import { niceScale } from './scale.ts'

/** A histogram needs enough values; below this number every grade is a dot. */
export const fewestForHistogram = 10

export function gradeChart({ histogram }: Metrics['grade'], words: { count: (n: number) => string }): Chart {
  const lowest = histogram[0]?.from ?? 0
  const highest = histogram.at(-1)?.to ?? 100
  const edges = [...histogram.map((bin) => bin.from), highest].map((edge) => ({
    percent: ((edge - lowest) / (highest - lowest)) * 100,
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
