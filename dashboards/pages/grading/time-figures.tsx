/** How long grades take, and the waiting work, through time. */
import { t } from '../../../language/translate.ts'
import type { Grading } from '../../../reporting/queries/grading.ts'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import { DataTable } from '../../components/listing.tsx'
import { Figure, type OwnDefinition } from '../../components/figure.tsx'
import { notesOn, Plot } from '../../components/plot.tsx'
import type { PageContext } from '../../page-context.ts'
import { backlogFinding, turnaroundFinding } from './words.ts'
import { unfinishedWords } from '../../components/stamp.tsx'
import { gradingHref } from './links.ts'
import { turnaroundUnit } from './grading-charts.ts'
import { targetWords } from '../../components/figures/against-target.ts'
import { periodName, PeriodSwitch, type DrawnChart } from '../../components/figures/figures.tsx'

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
  const { format, params } = context
  const finding = turnaroundFinding(grading, metrics.grading_turnaround, period, format)
  const duration = (ms: number | null) => (ms === null ? t('no data') : format.duration(ms))
  return (
    <Figure
      id="turnaround"
      title={t('How long do grades take?')}
      finding={finding}
      defines={['grading_turnaround']}
      also={[turnaroundDefinition]}
      csv={csv}
      tools={<PeriodSwitch context={context} period={period} to="turnaround" />}
      table={
        <DataTable
          caption={t('Time to the first grade, by the period of that grade')}
          columns={[t('Period'), t('half within'), t('9 in 10 within'), 'n']}
          rows={grading.turnaround.map(({ period_start, p50_ms, p90_ms, n }, index) => [
            toName(context, grading, period, period_start, index),
            duration(p50_ms),
            duration(p90_ms),
            n === 0 ? (
              '0'
            ) : (
              <a class="count" href={`${gradingHref(params, grading.answer.as_of, { graded: period_start })}#queue`}>
                {format.count(n)}
              </a>
            ),
          ])}
        />
      }
    >
      {metrics.grading_turnaround.n === 0 ? (
        <p class="empty">{t('Nothing has been graded in this scope.')}</p>
      ) : (
        <Plot
          {...drawn}
          format={format}
          label={t('Line chart. {finding}', { finding })}
          endLabels
          unit={turnaroundUnit(grading) === 'hours' ? t('in hours') : t('in days')}
          target={targetWords(context, 'grading_turnaround')}
          notes={notesOn(context, grading.options.teams, grading.backlog, period)}
        />
      )}
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
      table={
        <DataTable
          caption={t('Waiting for a grade at the end of each period')}
          columns={[t('Period'), t('Waiting at its end')]}
          rows={grading.backlog.map(({ period_start, waiting_at_end }, index) => [
            toName(context, grading, period, period_start, index),
            format.count(waiting_at_end),
          ])}
        />
      }
    >
      {grading.backlog.length === 0 ? (
        <p class="empty">{t('No period in this scope.')}</p>
      ) : (
        <Plot
          {...drawn}
          format={format}
          label={t('Line chart. {finding}', { finding })}
          endLabels
          notes={notesOn(context, grading.options.teams, grading.backlog, period)}
        />
      )}
    </Figure>
  )
}

function toName(context: PageContext, grading: Grading, period: string, start: string, index: number): string {
  const name = periodName(start, period, context, true)
  const isLast = index === grading.backlog.length - 1
  return isLast ? `${name}${unfinishedWords(grading.answer.as_of, context.format)}` : name
}
