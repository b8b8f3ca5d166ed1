/**
 * A chart is marks and words. ECharts draws the marks (lines, columns, the grid) on the server as an SVG that stretches
 * to any width. The words are HTML around it: they keep their size, wrap, can be selected and never collide. Colours are
 * custom properties of the style sheet: one drawing serves light, dark, print and forced colours.
 */
import type { EChartsCoreOption } from 'echarts/core'

export type ChartOption = EChartsCoreOption

export const seriesColour = {
  assigned: 'var(--series-assigned)',
  completed: 'var(--series-completed)',
  overdue: 'var(--series-overdue)',
  on_time: 'var(--series-completed)',
  late: 'var(--series-overdue)',
  open: 'var(--series-open)',
  grade: 'var(--series-completed)',
  half: 'var(--series-completed)',
  most: 'var(--series-assigned)',
  waiting: 'var(--series-waiting)',
} as const
export type SeriesName = keyof typeof seriesColour

export type ChartLabel = {
  series: SeriesName
  name: string
  value: string
  /** Where its line ends and where its label stands, in percent from the top. */
  markPercent: number
  labelPercent: number
}

export type Chart = {
  option: ChartOption
  /** Values of the vertical axis, from the bottom. */
  ticks: number[]
  bands: number
  /** The band that is still running, or `null`. */
  running: number | null
  /** Labels of the horizontal axis: position (percent from the left), text, and priority when space is short. */
  xLabels: { percent: number; text: string; rank: 0 | 1 | 2 }[]
  labels: ChartLabel[]
  /** Values beside the lines, in percent from the left and from the top. Left out: none. */
  dots?: { xPercent: number; yPercent: number }[]
  /** The target on each column: how far from the top, 0 to 1; `null`: none on this one. Left out: no target. */
  targets?: (number | null)[]
}

export function bandChart(
  bands: readonly string[],
  scale: Scale,
  series: object[],
): Pick<Chart, 'option' | 'ticks' | 'bands'> {
  const still = { silent: true, clip: false }
  const option = {
    animation: false,
    grid: { left: 0, right: 0, top: 0, bottom: 0 },
    xAxis: { type: 'category', data: [...bands], boundaryGap: true, show: false },
    yAxis: {
      type: 'value',
      min: 0,
      max: scale.max,
      interval: scale.ticks[1] ?? 1,
      axisLabel: { show: false },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: 'var(--chart-grid)', width: 1 } },
    },
    series: series.map((each) => ({ ...still, ...each })),
  }
  return { option, ticks: scale.ticks, bands: bands.length }
}

export function lineSeries(
  data: readonly (number | null)[],
  color: string,
  style: object = {},
  more: object = {},
) {
  const lineStyle = { color, width: 2, cap: 'round', join: 'round', ...style }
  return { type: 'line', data, showSymbol: false, lineStyle, ...more }
}

export function columnSeries(data: readonly number[], series: SeriesName, more: object = {}) {
  return { type: 'bar', data, barWidth: '94%', itemStyle: { color: seriesColour[series] }, ...more }
}

/** At most about twelve labels, always including the newest; `rank` 1 and 2 disappear first on narrow pages. */
export function bandLabels(texts: string[]): Chart['xLabels'] {
  const every = Math.ceil(texts.length / 12)
  const last = texts.length - 1
  return texts.flatMap((text, i) => {
    const fromEnd = last - i
    if (fromEnd % every !== 0) return []
    const nth = fromEnd / every
    return [
      {
        percent: ((i + 0.5) / texts.length) * 100,
        text,
        rank: nth % 4 === 0 ? 0 : nth % 2 === 0 ? 1 : 2,
      } as const,
    ]
  })
}

/** A zero-based axis for counts: two to five round steps, never a fraction of an assignment, and little room above the data. */
type Scale = { max: number; ticks: number[] }

export function niceScale(highest: number): Scale {
  const roughStep = Math.max(1, highest) / 5
  const magnitude = 10 ** Math.floor(Math.log10(roughStep))
  const steps = [1, 2, 2.5, 5, 10]
    .map((m) => m * magnitude)
    .filter((step) => step >= Math.max(1, roughStep) && Number.isInteger(step))
  const top = (step: number) => Math.ceil(highest / step) * step
  // The axis that ends nearest above the data; of two equal ones that with fewer steps.
  const step = steps.reduce(
    (best, one) => (highest / one > 1 && top(one) <= top(best) ? one : best),
    steps[0] ?? 1,
  )
  const count = Math.max(1, Math.ceil(highest / step))
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) }
}

/** Moves labels apart to `gap` within 0..`length`, keeping their order; positions in the given order. */
export function spread(positions: number[], gap: number, length: number): number[] {
  const order = positions.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at)
  for (let k = 1; k < order.length; k++) {
    const [above, here] = [order[k - 1], order[k]]
    if (above && here) here.at = Math.max(here.at, above.at + gap)
  }
  let limit = length
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, limit)
    limit = label.at - gap
  }
  const placed = [...positions]
  for (const { at, i } of order) placed[i] = at
  return placed
}
