import {
  bandChart,
  bandLabels,
  type Chart,
  lineSeries,
  type SeriesName,
  seriesColour,
  niceScale,
  spread,
} from './chart.ts'
import type { TrendPeriod } from '../../schemas/metrics/answer.ts'
import { t } from '../../language/translate.ts'

type LineOfChart = {
  series: SeriesName
  name: string
  /** One for each band; `null` is a gap and no zero. */
  values: readonly (number | null)[]
  /** Whether values add up during a band: the way to a running one is dotted. Default: no. */
  isSum?: boolean
  /** The newest value in words. Left out: as a count. */
  newest?: string
}

export type LinesChartOptions = {
  bands: readonly string[]
  lines: readonly LineOfChart[]
  count: (value: number) => string
  running: boolean
  /** Values that are too few to trust, drawn as grey dots beside the lines: by band. Default: none. */
  dots?: readonly (number | null)[]
  target?: number | null
}

/** Two or three lines from zero, labelled at their ends. */
export function linesChart(options: LinesChartOptions): Chart {
  const { bands, lines, count, running, dots = [], target = null } = options
  const heights = [...lines.flatMap(({ values }) => values), ...dots, target]
  const scale = niceScale(Math.max(1, ...heights.filter((value) => value !== null)))
  const fromTop = (value: number) => 100 - (value / scale.max) * 100
  const newest = lines.map(({ values }) => values.findLast((value) => value !== null) ?? 0)
  const marks = newest.map(fromTop)
  const places = spread(marks, 9, 98)
  return {
    ...bandChart(bands, scale, [
      ...lines.flatMap((line) => toSeries(line, running)),
      ...(target === null
        ? []
        : [
            lineSeries(
              bands.map(() => target),
              'var(--ink)',
              { width: 1.5, type: 'dashed' },
            ),
          ]),
    ]),
    running: running && bands.length > 0 ? bands.length - 1 : null,
    xLabels: bandLabels([...bands]),
    labels: lines.map(({ series, name, newest: words }, index) => ({
      series,
      name,
      value: words ?? count(newest[index] ?? 0),
      markPercent: marks[index] ?? 0,
      labelPercent: places[index] ?? 0,
    })),
    dots: dots.flatMap((value, index) =>
      value === null ? [] : [{ xPercent: ((index + 0.5) / bands.length) * 100, yPercent: fromTop(value) }],
    ),
  }
}

function toSeries({ series, values, isSum = false }: LineOfChart, running: boolean) {
  const colour = seriesColour[series]
  const last = values.length - 1
  if (!isSum || !running || last < 1) return [lineSeries(values, colour)]
  const end = values.map((value, i) => (i < last - 1 ? null : value))
  return [lineSeries([...values.slice(0, last), null], colour), lineSeries(end, colour, { type: 'dotted' })]
}

/** Assigned and completed per period. While the last period is running, the way to it is dotted. */
export function trendChart(
  trend: TrendPeriod[],
  words: { period: (start: string) => string; count: (value: number) => string },
  isRunning = true,
): Chart {
  return linesChart({
    bands: trend.map((p) => words.period(p.period_start)),
    lines: [
      { series: 'assigned', name: t('Assigned'), values: trend.map((p) => p.assigned), isSum: true },
      { series: 'completed', name: t('Completed'), values: trend.map((p) => p.completed), isSum: true },
    ],
    count: words.count,
    running: isRunning,
  })
}
