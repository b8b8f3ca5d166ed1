/**
 * A figure for any page with a scope. Its data: `readForecast(queries, scope)`; its drawing: `drawForecast`. The files come from
 * `/forecast.csv` with the scope of the page.
 */
import { t } from '../../../language/translate.ts'
import type { ForecastView } from '../../../reporting/queries/read-forecast.ts'
import { forecastChart } from './forecast-chart.ts'
import { DataTable } from '../../components/listing.tsx'
import { Figure, type OwnDefinition } from '../../components/figure.tsx'
import { notesOn, Plot } from '../../components/plot.tsx'
import type { Option } from '../../../reporting/metrics/overview.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { PageContext } from '../../page-context.ts'
import { targetWords } from '../../components/figures/against-target.ts'
import { forecastFinding } from './words.ts'
import { href, rowsHref, withChange } from '../../scope/page-url.ts'
import { draw } from '../../components/figures/draw-charts.ts'
import type { DrawnChart } from '../../components/figures/figures.tsx'

const definition: OwnDefinition = {
  title: 'Forecast',
  definition:
    'A projection, if nothing else happens. The chance of each open assignment comes from how often comparable assignments (the same challenges and teams, any time and person) of that age, with as many days left until they were due, were completed on a day. The band is as wide as it had to be to hold nine of ten outcomes at past moments, each forecast with what was known then.',
}

type ForecastFigureProps = {
  context: PageContext
  rowParams: URLSearchParams
  /** The moment of the page. */
  asOf: string
  view: ForecastView
  /** The teams that the reader sees. */
  teams: readonly Option[]
  drawn: DrawnChart
}

export function ForecastFigure({ context, rowParams, asOf, view, teams, drawn }: ForecastFigureProps) {
  const { format, params } = context
  const finding = forecastFinding(view, format)
  const open = view.forecast.kind === 'forecast' ? rowsHref(rowParams, asOf, { fact: 'open' }) : null
  return (
    <Figure
      id="forecast"
      className="wide"
      title={t('How many will be completed?')}
      finding={finding}
      defines={['completion_rate']}
      also={[definition]}
      csv={href('/forecast.csv', withChange(params, { as_of: asOf, compare: null }))}
      table={
        <DataTable
          caption={t('Expected completion, week by week')}
          columns={[t('By the end of'), t('Expected'), t('At least'), t('At most')]}
          rows={view.points.map(({ day, value, low, high }) => [
            format.dayYear(day),
            format.percent(value, 1),
            low === null ? '–' : format.percent(low, 1),
            high === null ? '–' : format.percent(high, 1),
          ])}
        />
      }
      tools={
        open === null ? null : (
          <a class="pill" href={open}>
            {t('Who is still open')}
          </a>
        )
      }
    >
      {view.points.length === 0 ? (
        <p class="empty">{finding}</p>
      ) : isFlat(view) ? (
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
