import type { ForecastPoint } from '../../../reporting/queries/read-forecast.ts'
import { bandLabels, bandChart, type Chart, lineSeries, seriesColour, targetSeries } from '../../charts/chart.ts'
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'

/** In percent of all assigned: the forecast, between the ends of the interval; the target, if there is one, is a dashed line. */
export function forecastChart(
  points: readonly ForecastPoint[],
  target: number | null,
  format: Pick<Format, 'day' | 'percent'>,
): Chart {
  const percent = (share: number) => Math.round(share * 1_000) / 10
  const last = points.at(-1)
  const scale = { max: 100, ticks: [0, 25, 50, 75, 100] }
  const colour = seriesColour.completed
  const days = points.map(({ day }) => day)
  const hidden = { width: 0, opacity: 0 }
  const areaStyle = { color: colour, opacity: 0.18 }
  const line = (share: (point: ForecastPoint) => number, ...style: object[]) =>
    lineSeries(
      points.map((point) => percent(share(point))),
      colour,
      ...style,
    )
  const mark = 100 - percent(last?.value ?? 0)
  return {
    ...bandChart(days, scale, [
      // The interval is an area on top of an invisible line at its lower end.
      line(({ value, low }) => low ?? value, hidden, { stack: 'interval' }),
      // Without an interval there is no band.
      line(({ low, high }) => (high ?? 0) - (low ?? 0), hidden, { stack: 'interval', areaStyle }),
      line(({ value }) => value),
      ...targetSeries(target === null ? null : points.map(() => percent(target))),
    ]),
    running: null,
    xLabels: bandLabels(days.map((day) => format.day(day))),
    labels: [
      {
        series: 'completed',
        name: t('Expected'),
        value: format.percent(last?.value ?? 0),
        markPercent: mark,
        labelPercent: mark,
      },
    ],
  }
}
