import type { Metrics } from '../../schemas/metrics/answer.ts'
import { type Chart, bandAxis, bareGrid, countAxis, seriesColour } from './chart.ts'
import { niceScale } from './scale.ts'

/** A histogram needs enough values; below this number every grade is a dot. */
export const fewestForHistogram = 10

export function gradeChart(grade: Metrics['grade'], words: { count: (n: number) => string }): Chart {
  const scale = niceScale(Math.max(1, ...grade.histogram.map((bin) => bin.count)))
  const lowest = grade.histogram[0]?.from ?? 0
  const highest = grade.histogram.at(-1)?.to ?? 100
  const edges = [...grade.histogram.map((bin) => bin.from), highest]
  return {
    option: {
      animation: false,
      grid: bareGrid,
      xAxis: bandAxis(grade.histogram.map((bin) => `${bin.from}–${bin.to}`)),
      yAxis: countAxis(scale),
      series: [
        {
          type: 'bar',
          data: grade.histogram.map((bin) => bin.count),
          silent: true,
          clip: false,
          barWidth: '94%',
          itemStyle: { color: seriesColour.grade },
        },
      ],
    },
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
