/** How long grades take, and the waiting work, through time. */
import { t } from '../../../language/translate.ts'
import type { Grading } from '../../../reporting/queries/grading.ts'
import type { MetricsAnswer, Period } from '../../../schemas/metrics/answer.ts'
import { Figure, type OwnDefinition } from '../../components/figure.tsx'
import { orNoData } from '../../components/listing.tsx'
import { notesOn, Plot } from '../../components/plot.tsx'
import type { PageContext } from '../../page-context.ts'
import { backlogFinding, turnaroundFinding } from './words.ts'
import { unfinishedWords } from '../../components/stamp.tsx'
import { gradingHref } from './links.ts'
import { targetWords, targetOf } from '../../components/figures/comparisons.ts'
import { endsRunning, periodName, PeriodSwitch, type DrawnChart } from '../../components/figures/figures.tsx'
import type { Chart } from '../../charts/chart.ts'
import { linesChart } from '../../charts/lines-chart.ts'
import { fewestToRank } from '../../components/figures/findings.ts'

const turnaroundDefinition: OwnDefinition = {
  title: 'Turnaround of a period',
  definition:
    'Grading turnaround over just those first seen graded in the period: nothing among them still waits, so p50 (p90) is the smallest time after which half (nine in ten) of them were graded. Under n = 10 a median is a grey dot and not part of the line.',
}
const backlogDefinition: OwnDefinition = {
  title: 'Waiting at the end',
  definition:
    'Of the assignments in scope at the moment: those that awaited grading at the end of the period (or at the moment, if that is earlier), by the state in force then. An assignment counts only if it was then known, created and not deleted; its person, the filters and who has left are those of the moment.',
}

type TimeFigureProps = {
  context: PageContext
  grading: Grading
  metrics: MetricsAnswer['metrics']
  period: MetricsAnswer['period']
  drawn: DrawnChart
  csv: string
}

export function TurnaroundFigure({ context, grading, metrics, period, drawn, csv }: TimeFigureProps) {
  const { format } = context
  const finding = turnaroundFinding(grading, metrics.grading_turnaround, period, format)
  return (
    <Figure
      id="turnaround"
      title={t('How long do grades take?')}
      finding={finding}
      defines={['grading_turnaround']}
      also={[turnaroundDefinition]}
      csv={csv}
      tools={<PeriodSwitch context={context} period={period} to="turnaround" />}
      table={{
        caption: t('Time to the first grade, by the period of that grade'),
        columns: [t('Period'), t('half within'), t('9 in 10 within'), 'n'],
        rows: grading.turnaround.map(({ period_start, p50_ms, p90_ms, n }, index) => [
          toName(context, grading, period, period_start, index === drawn.chart.running),
          orNoData(p50_ms, format.duration),
          orNoData(p90_ms, format.duration),
          n === 0 ? (
            '0'
          ) : (
            <a class="count" href={`${gradingHref(context, grading.answer.as_of, { graded: period_start })}#queue`}>
              {format.count(n)}
            </a>
          ),
        ]),
      }}
      empty={
        metrics.grading_turnaround.n === 0
          ? t('Nothing has been graded in this scope.')
          : grading.turnaround.length === 0
            ? t('No period in this scope.')
            : null
      }
    >
      <Plot
        {...drawn}
        format={format}
        label={t('Line chart. {finding}', { finding })}
        endLabels
        unit={turnaroundUnit(grading) === 'hours' ? t('in hours') : t('in days')}
        target={targetWords(context, 'grading_turnaround')}
        notes={notesOn(context, grading.options.teams, grading.backlog, period)}
      />
    </Figure>
  )
}

export function BacklogFigure({ context, grading, period, drawn, csv }: TimeFigureProps) {
  const { format } = context
  const finding = backlogFinding(grading, period, format)
  return (
    <Figure
      id="backlog"
      title={t('Are fewer waiting than before?')}
      finding={finding}
      defines={['grading_backlog']}
      also={[backlogDefinition]}
      csv={csv}
      table={{
        caption: t('Waiting for a grade at the end of each period'),
        columns: [t('Period'), t('Waiting at its end')],
        rows: grading.backlog.map(({ period_start, waiting_at_end }, index) => [
          toName(context, grading, period, period_start, index === drawn.chart.running),
          format.count(waiting_at_end),
        ]),
      }}
      empty={grading.backlog.length === 0 ? t('No period in this scope.') : null}
    >
      <Plot
        {...drawn}
        format={format}
        label={t('Line chart. {finding}', { finding })}
        endLabels
        notes={notesOn(context, grading.options.teams, grading.backlog, period)}
      />
    </Figure>
  )
}

function toName(context: PageContext, { answer }: Grading, period: Period, start: string, isRunning: boolean): string {
  const name = periodName(start, period, context, true)
  return isRunning ? `${name}${unfinishedWords(answer.as_of, context.format)}` : name
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** p50 and p90 per period in days, or in hours where all of them are short. Medians of few are dots and not part of the line. */
export function turnaroundChart({ turnaround, answer }: Grading, period: Period, context: PageContext): Chart {
  const { format } = context
  const trusted = turnaround.map((each) => (each.n >= fewestToRank ? each : null))
  const unitMs = turnaroundUnit({ turnaround }) === 'hours' ? hourMs : dayMs
  const inUnits = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : ms / unitMs)
  const newest = trusted.findLast((each) => each !== null)
  const words = (ms: number | null | undefined) =>
    ms === null || ms === undefined ? t('no data') : format.duration(ms)
  return linesChart({
    bands: turnaround.map(({ period_start }) => periodName(period_start, period, context)),
    lines: [
      {
        series: 'half',
        name: t('half within'),
        values: trusted.map((each) => inUnits(each?.p50_ms)),
        newest: words(newest?.p50_ms),
      },
      {
        series: 'most',
        name: t('9 in 10 within'),
        values: trusted.map((each) => inUnits(each?.p90_ms)),
        newest: words(newest?.p90_ms),
      },
    ],
    count: format.decimal,
    running: endsRunning(turnaround, answer, period),
    target: inUnits(targetOf(context, 'grading_turnaround')),
    dots: turnaround.map(({ n, p50_ms }) => (n > 0 && n < fewestToRank ? inUnits(p50_ms) : null)),
  })
}

export function backlogChart({ backlog, answer }: Grading, period: Period, context: PageContext): Chart {
  return linesChart({
    bands: backlog.map(({ period_start }) => periodName(period_start, period, context)),
    lines: [{ series: 'waiting', name: t('Waiting'), values: backlog.map(({ waiting_at_end }) => waiting_at_end) }],
    count: context.format.count,
    running: endsRunning(backlog, answer, period),
  })
}

/** The unit of the vertical axis of `turnaroundChart`. */
function turnaroundUnit({ turnaround }: Pick<Grading, 'turnaround'>): 'hours' | 'days' {
  return Math.max(0, ...turnaround.map(({ p90_ms }) => p90_ms ?? 0)) < 2 * dayMs ? 'hours' : 'days'
}
