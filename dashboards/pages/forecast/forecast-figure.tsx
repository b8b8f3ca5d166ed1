/**
 * A figure for any page with a scope. Its data: `readForecast(queries, scope)`; its drawing: `drawForecast`. The files come from
 * `/forecast.csv` with the scope of the page.
 */
import { t } from '../../../language/translate.ts'
import type { ForecastView, ForecastPoint } from '../../../reporting/queries/read-forecast.ts'
import { Figure, type OwnDefinition } from '../../components/figure.tsx'
import { notesOn, Plot } from '../../components/plot.tsx'
import { rowsOf } from '../../components/count.tsx'
import type { Option } from '../../../reporting/metrics/overview.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { PageContext } from '../../page-context.ts'
import { targetWords } from '../../components/figures/comparisons.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { draw } from '../../components/figures/draw-charts.ts'
import type { DrawnChart } from '../../components/figures/figures.tsx'
import { fewestMoments } from '../../../reporting/forecast/calibrate.ts'
import type { Format } from '../../../language/format.ts'
import { bandLabels, bandChart, type Chart, lineSeries, seriesColour, targetSeries } from '../../charts/chart.ts'

const definition: OwnDefinition = {
  title: 'Forecast',
  definition:
    'A projection, if nothing else happens. The chance of each open assignment comes from how often comparable assignments (the same challenges and teams, any time and person) of that age, with as many days left until they were due, were completed on a day. The band is as wide as it had to be to hold nine of ten outcomes at past moments, each forecast with what was known then.',
}

type ForecastFigureProps = {
  context: PageContext
  /** The moment of the page. */
  asOf: string
  view: ForecastView
  /** The teams that the reader sees. */
  teams: readonly Option[]
  drawn: DrawnChart
}

export function ForecastFigure({ context, asOf, view, teams, drawn }: ForecastFigureProps) {
  const { format, params } = context
  const finding = forecastFinding(view, format)
  const open = view.forecast.kind === 'forecast' ? rowsOf(context, { fact: 'open' }) : null
  return (
    <Figure
      id="forecast"
      className="wide"
      title={t('How many will be completed?')}
      finding={finding}
      defines={['completion_rate']}
      also={[definition]}
      csv={href('/forecast.csv', withChange(params, { as_of: asOf, compare: null }))}
      table={{
        caption: t('Expected completion, week by week'),
        columns: [t('By the end of'), t('Expected'), t('At least'), t('At most')],
        rows: view.points.map(({ day, value, low, high }) => [
          format.dayYear(day),
          format.percent(value, 1),
          low === null ? '–' : format.percent(low, 1),
          high === null ? '–' : format.percent(high, 1),
        ]),
      }}
      tools={
        open === null ? null : (
          <a class="pill" href={open}>
            {t('Who is still open')}
          </a>
        )
      }
      empty={view.points.length === 0 ? finding : null}
    >
      {isFlat(view) ? (
        <p class="quiet">{t('No chart: the line is flat. Its numbers are under “More”.')}</p>
      ) : (
        <Plot
          {...drawn}
          format={format}
          label={t('Line chart with an interval. {finding}', { finding })}
          endLabels
          unit={t('in % of assigned')}
          target={targetWords(context, 'completion_rate')}
          notes={notesOn(
            context,
            teams,
            view.points.map(({ day }) => ({ period_start: day })),
            'week',
          )}
        />
      )}
    </Figure>
  )
}

/** Less than this is not to be seen on an axis of 100 percent. */
const leastToDraw = 0.03

function isFlat({ points }: ForecastView): boolean {
  const lowest = Math.min(...points.map(({ value, low }) => low ?? value))
  return Math.max(...points.map(({ value, high }) => high ?? value)) - lowest < leastToDraw
}

export function drawForecast(view: ForecastView, { format }: PageContext, routes: RouteContext): Promise<DrawnChart> {
  return draw(forecastChart(view.points, view.target, format), routes)
}

const reasons = {
  nothing_assigned: 'Nothing is assigned in this scope: there is nothing to forecast.',
  too_few_completed: 'Fewer than 30 comparable assignments were completed: too few for a forecast.',
  beyond_curve: 'Most open assignments are older than any that was completed: nothing can be said of them.',
} as const

/** A projection says that it is one, from when, and how sure it is. */
function forecastFinding({ forecast, by, target, assigned, completed }: ForecastView, format: Format): string {
  if (forecast.kind === 'too_little_data') return t(reasons[forecast.reason])
  const { value, low, high } = forecast.expected
  const now = t('{completed} of {assigned} are completed', {
    completed: format.count(completed),
    assigned: format.count(assigned),
  })
  const projected = { by: format.dayYear(by), value: format.percent(value) }
  const then =
    low === null || high === null
      ? t('projected to {by}: {value}, not yet with an interval: fewer than {fewest} past moments can be compared', {
          ...projected,
          fewest: format.count(fewestMoments),
        })
      : t('projected to {by}: {value}, most likely between {low} and {high}', {
          ...projected,
          low: format.percent(low),
          high: format.percent(high),
        })
  return [`${now}; ${then}.`, heldWords(forecast.calibration, format), neededWords(forecast.needed, target, format)]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function heldWords(past: { moments: number; held: number } | null, format: Format): string {
  if (past === null) return ''
  const { moments, held: n } = past
  return t('An interval like this would have held at {n} of {moments} past moments.', {
    n: format.count(n),
    moments: format.count(moments),
  })
}

/** "34 more for the target of 90 %." */
function neededWords(needed: number | null, target: number | null, format: Format): string {
  if (needed === null || target === null) return ''
  if (needed === 0) return t('The target of {target} is reached.', { target: format.percent(target) })
  return t('{n, plural, one {# more is} other {# more are}} needed for the target of {target}.', {
    n: needed,
    target: format.percent(target),
  })
}

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
