import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cohortChart, gradeChart } from '../../../dashboards/charts/column-charts.ts'
import { linesChart, trendChart } from '../../../dashboards/charts/lines-chart.ts'
import { type ChartRenderer, openChartRenderer } from '../../../dashboards/charts/render.ts'
import { niceScale, spread } from '../../../dashboards/charts/chart.ts'
import { filledOverview } from './serve.ts'

const words = { period: (day: string) => day, day: (day: string) => day, count: String }
const { answer, due_cohorts } = await filledOverview()
type Series = { data: (number | null)[]; lineStyle?: { type?: string } }
const seriesOf = (option: unknown) => (option as { series: Series[] }).series

describe('axes', () => {
  test('begin at zero, end at or above the highest value, and step by whole assignments', () => {
    for (const highest of [0, 1, 2, 3, 7, 9, 10, 11, 99, 100, 101, 250, 1234, 99_999]) {
      const { max, ticks } = niceScale(highest)
      expect(ticks[0]).toBe(0)
      expect(ticks.at(-1)).toBe(max)
      expect(max).toBeGreaterThanOrEqual(highest)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }
  })

  test('labels that would meet are moved apart, in order and inside', () => {
    const placed = spread([50, 51, 97, 96], 9, 98)
    const inOrder = [...placed].sort((a, b) => a - b)
    for (let i = 1; i < inOrder.length; i++)
      expect((inOrder[i] ?? 0) - (inOrder[i - 1] ?? 0)).toBeGreaterThanOrEqual(9)
    expect(Math.max(...placed)).toBeLessThanOrEqual(98)
    expect(placed[0]).toBeLessThan(placed[1] ?? 0)
    expect(placed[3]).toBeLessThan(placed[2] ?? 0)
  })
})

describe('the trend', () => {
  test('dots the way to the running period, and has no line of what is overdue', () => {
    const series = seriesOf(trendChart(answer.metrics.trend, words).option)
    const dotted = series.filter((s) => s.lineStyle?.type === 'dotted')
    expect([series.length, dotted.length]).toEqual([4, 2])
    expect(dotted[0]?.data.filter((v) => v !== null)).toEqual(
      answer.metrics.trend.slice(-2).map((p) => p.assigned),
    )
  })

  test('labels at most twelve periods, the newest among them, however many there are', () => {
    for (const length of [1, 2, 12, 13, 60, 400]) {
      const trend = Array.from({ length }, (_, i) => ({ ...answer.metrics.trend[0]!, period_start: `p${i}` }))
      const { xLabels } = trendChart(trend, words)
      expect(xLabels.length).toBeLessThanOrEqual(12)
      expect(xLabels.at(-1)?.text).toBe(`p${length - 1}`)
      expect(xLabels.at(-1)?.rank).toBe(0)
    }
  })
})

test('a target is a tick on each column that has decided work, at its share of it', () => {
  const [first, ...others] = due_cohorts.map((each, i) =>
    i === 0 ? { ...each, on_time: 30, late: 20, open: 0 } : each,
  )
  const { targets, ticks } = cohortChart(
    [first!, { ...first!, on_time: 0, late: 0 }, ...others],
    words,
    '',
    0.8,
  )
  expect([targets?.[0], targets?.[1]]).toEqual([1 - 40 / (ticks.at(-1) ?? 0), null])
  expect(cohortChart(due_cohorts, words, '').targets).toBeUndefined()
})

describe('the renderer', () => {
  let renderer: ChartRenderer
  beforeAll(() => {
    renderer = openChartRenderer(2)
  })
  afterAll(() => renderer.close())

  test('draws marks that a strict page can hold: no style, no id, no text, no script', async () => {
    for (const chart of [
      trendChart(answer.metrics.trend, words),
      cohortChart(due_cohorts, words, '2026-11-20'),
      gradeChart(answer.metrics.grade, words),
    ]) {
      const svg = await renderer.render(chart.option)
      expect(svg).toMatch(/^<svg class="marks" /)
      expect(svg).toContain('viewBox="0 0 1000 240"')
      expect(svg).not.toMatch(/style|<text|script|\sid=|clip|ecmeta|\sclass="(?!marks)/)
      expect(svg).toContain('var(--series-completed)')
      expect(svg.length).toBeLessThan(9_000)
    }
  })

  test('draws the same data once, and forgets the least recently used', async () => {
    const option = (n: number) =>
      gradeChart({ ...answer.metrics.grade, histogram: [{ from: 0, to: 10, count: n }] }, words).option
    const first = renderer.render(option(1))
    expect(renderer.render(option(1))).toBe(first)
    void renderer.render(option(2))
    void renderer.render(option(3))
    expect(renderer.render(option(1))).not.toBe(first)
    expect(await renderer.render(option(1))).toBe(await first)
  })

  test('fails one drawing that cannot be drawn, and goes on with the next', async () => {
    await expect(
      renderer.render({ series: [{ type: 'bar', data: [1] }], xAxis: { type: 'nonsense' } }),
    ).rejects.toThrow()
    await expect(renderer.render(gradeChart(answer.metrics.grade, words).option)).resolves.toContain('<path')
  })
})

describe('lines', () => {
  const { option, dots, labels, ticks } = linesChart({
    bands: ['a', 'b', 'c'],
    lines: [{ series: 'half', name: 'p50', values: [2, null, 4] }],
    dots: [null, 8, null],
    count: String,
    running: true,
  })

  test('leave a gap where there is no value, and label the newest', () => {
    expect(seriesOf(option)[0]?.data).toEqual([2, null, 4])
    expect(labels).toMatchObject([{ name: 'p50', value: '4' }])
  })

  test('show what is too few as dots in the middle of their band, within the axis', () => {
    expect(ticks.at(-1)).toBe(8)
    expect(dots).toEqual([{ xPercent: 50, yPercent: 0 }])
  })
})
