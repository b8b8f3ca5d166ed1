import type { ForecastPoint } from '../../../reporting/forecast/read-forecast.ts'
import { type Chart, bandAxis, bandLabels, bareGrid, countAxis, seriesColour, targetLine } from '../../charts/chart.ts'
import { t } from '../../../language/translate.ts'

export type ForecastWords = { day: (date: string) => string; percent: (share: number) => string }

/** In percent of all assigned: what is expected, between the ends of the interval; the target, if there is one, is a dashed line. */
export function forecastChart(points: readonly ForecastPoint[], target: number | null, words: ForecastWords): Chart {
  const percent = (share: number) => Math.round(share * 1_000) / 10
  const last = points.at(-1)
  const scale = { max: 100, ticks: [0, 25, 50, 75, 100] }
  const colour = seriesColour.completed
  const line = (data: number[], style: object, extra: object = {}) => ({
    type: 'line',
    data,
    silent: true,
    showSymbol: false,
    clip: false,
    lineStyle: { color: colour, width: 2, ...style },
    ...extra,
  })
  const mark = 100 - percent(last?.value ?? 0)
  return {
    option: {
      animation: false,
      grid: bareGrid,
      xAxis: bandAxis(points.map(({ day }) => day)),
      yAxis: countAxis(scale),
      series: [
        // The interval is an area on top of an invisible line at its lower end.
        line(
          points.map(({ value, low }) => percent(low ?? value)),
          { width: 0, opacity: 0 },
          { stack: 'interval' },
        ),
        line(
          // Without an interval there is no band.
          points.map(({ low, high }) => percent((high ?? 0) - (low ?? 0))),
          { width: 0, opacity: 0 },
          { stack: 'interval', areaStyle: { color: colour, opacity: 0.18 } },
        ),
        line(
          points.map(({ value }) => percent(value)),
          {},
        ),
        ...(target === null ? [] : [targetLine(points.map(() => percent(target)))]),
      ],
    },
    ticks: scale.ticks,
    bands: points.length,
    running: null,
    xLabels: bandLabels(points.map(({ day }) => words.day(day))),
    labels: [
      {
        series: 'completed',
        name: t('Expected'),
        value: words.percent(last?.value ?? 0),
        markPercent: mark,
        labelPercent: mark,
      },
    ],
  }
}
