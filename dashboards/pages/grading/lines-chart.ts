import {
  bandLabels,
  bandOption,
  type Chart,
  lineSeries,
  type SeriesName,
  seriesColour,
  targetSeries,
} from '../../charts/chart.ts'
import { niceScale, spread } from '../../charts/scale.ts'

export type LineOfChart = {
  series: SeriesName
  name: string
  /** One for each band; `null` is a gap and no zero. */
  values: readonly (number | null)[]
  /** The newest value in words. Left out: as a count. */
  newest?: string
}

export type LinesChartOptions = {
  /** Names of the bands on the axis. */
  bands: readonly string[]
  lines: readonly LineOfChart[]
  count: (value: number) => string
  /** Whether the last band is still running. */
  running: boolean
  /** Values that are too few to trust, drawn as grey dots beside the lines: by band. Default: none. */
  dots?: readonly (number | null)[]
  /** Default: none. */
  target?: number | null
}

export type LinesChart = Chart & { dots: { xPercent: number; yPercent: number }[] }

/** Two or three lines from zero, labelled at their ends. */
export function linesChart({ bands, lines, count, running, dots = [], target = null }: LinesChartOptions): LinesChart {
  const known = [...lines.flatMap(({ values }) => values), ...dots, target].filter((value) => value !== null)
  const scale = niceScale(Math.max(1, ...known))
  const fromTop = (value: number) => 100 - (value / scale.max) * 100
  const newest = lines.map(({ values }) => values.findLast((value) => value !== null) ?? 0)
  const marks = newest.map(fromTop)
  const places = spread(marks, 9, 98)
  return {
    option: bandOption(bands, scale, [
      ...lines.map(({ series, values }) => lineSeries(values, seriesColour[series])),
      ...targetSeries(target === null ? null : bands.map(() => target)),
    ]),
    ticks: scale.ticks,
    bands: bands.length,
    running: running ? bands.length - 1 : null,
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
