import type { ForecastPoint } from '../../../reporting/forecast/read-forecast.ts'
import { bandLabels, bandChart, type Chart, lineSeries, seriesColour, targetSeries } from '../../charts/chart.ts'
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'

/** In percent of all assigned: what is expected, between the ends of the interval; the target, if there is one, is a dashed line. */
export function forecastChart(
  points: readonly ForecastPoint[],
  target: number | null,
  format: Pick<Format, 'day' | 'percent'>,
): Chart {
  const percent = (share: number) => Math.round(share * 1_000) / 10
  const last = points.at(-1)
  const scale = { max: 100, ticks: [0, 25, 50, 75, 100] }
  const colour = seriesColour.completed
  const hidden = { width: 0, opacity: 0 }
  const mark = 100 - percent(last?.value ?? 0)
  return {
    ...bandChart(
      points.map(({ day }) => day),
      scale,
      [
        // The interval is an area on top of an invisible line at its lower end.
        lineSeries(
          points.map(({ value, low }) => percent(low ?? value)),
          colour,
          hidden,
          { stack: 'interval' },
        ),
        // Without an interval there is no band.
        lineSeries(
          points.map(({ low, high }) => percent((high ?? 0) - (low ?? 0))),
          colour,
          hidden,
          { stack: 'interval', areaStyle: { color: colour, opacity: 0.18 } },
        ),
        lineSeries(
          points.map(({ value }) => percent(value)),
          colour,
        ),
        ...targetSeries(target === null ? null : points.map(() => percent(target))),
      ],
    ),
    running: null,
    xLabels: bandLabels(points.map(({ day }) => format.day(day))),
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
