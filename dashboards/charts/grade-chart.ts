import type { Metrics } from '../../schemas/metrics/answer.ts'
import { bandOption, type Chart, columnSeries } from './chart.ts'
import { niceScale } from './scale.ts'

/** A histogram needs enough values; below this number every grade is a dot. */
export const fewestForHistogram = 10

export function gradeChart(grade: Metrics['grade'], words: { count: (n: number) => string }): Chart {
  const scale = niceScale(Math.max(1, ...grade.histogram.map((bin) => bin.count)))
  const lowest = grade.histogram[0]?.from ?? 0
  const highest = grade.histogram.at(-1)?.to ?? 100
  const edges = [...grade.histogram.map((bin) => bin.from), highest]
  return {
    option: bandOption(
      grade.histogram.map((bin) => `${bin.from}–${bin.to}`),
      scale,
      [
        columnSeries(
          grade.histogram.map((bin) => bin.count),
          'grade',
        ),
      ],
    ),
    ticks: scale.ticks,
    bands: grade.histogram.length,
    running: null,
    xLabels: edges.map((edge, i) => ({
      percent: ((edge - lowest) / (highest - lowest)) * 100,
      text: words.count(edge),
      rank: i % 2 === 0 ? 0 : 1,
    })),
    labels: [],
  }
}
