/** The drawn figures that several pages share: trend, due cohorts, grades. Words come from `findings.ts`, marks from `charts/`. */
import { addDays, shiftPeriod, toLocalDate, toPeriodStart } from '../../../schemas/metrics/calendar.ts'
import type { Child } from 'hono/jsx'
import type { Chart } from '../../charts/chart.ts'
import { fewestForHistogram } from '../../charts/column-charts.ts'
import { Count } from '../count.tsx'
import { SetupLink } from '../messages.tsx'
import { explainHref, Figure } from '../figure.tsx'
import { orNoData } from '../listing.tsx'
import { notesOn, Plot } from '../plot.tsx'
import { periods, type Period } from '../../../schemas/metrics/answer.ts'
import type { OverviewBlock } from '../../../reporting/exports/overview-tables.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { targetWords } from './comparisons.ts'
import { cohortFinding, gradeFinding, trendFinding } from './findings.ts'
import { momentOf, unfinishedWords } from '../stamp.tsx'
import { allFilters, samePageHref } from '../../scope/follow.ts'
import { withChange } from '../../scope/page-url.ts'
import { t, type Message } from '../../../language/translate.ts'
import { Segments } from '../page-links.tsx'

export type DrawnChart = { chart: Chart; svg: string | null }

/** The address of the file of a figure, over the scope of its page at its moment. */
export type BlockHref = (name: OverviewBlock) => string

type FigureProps = { context: PageContext; overview: Overview; block: BlockHref; drawn: DrawnChart }

export function TrendFigure({ context, overview, drawn, block }: FigureProps) {
  const { format } = context
  const { trend } = overview.answer.metrics
  const { period } = overview.answer
  const moment = momentOf(overview.answer.as_of, format)
  const isRunning = drawn.chart.running !== null
  const finding = trendFinding(trend, period, format, { moment, isRunning })
  const last = trend.length - 1
  const line = (start: string, name: string, n: number) => (
    <Count context={context} n={n} narrow={{ metric: 'trend', part: `${start}.${name}` }} />
  )
  return (
    <Figure
      id="trend"
      className="wide"
      title={t('Are we keeping up?')}
      finding={finding}
      defines={['trend']}
      csv={block('trend')}
      sql={explainHref(context, 'trend')}
      tools={<PeriodSwitch context={context} period={period} />}
      table={{
        caption: t('Assigned, completed, graded and overdue per period'),
        columns: [t('Period'), t('Assigned'), t('Completed'), t('Graded'), t('Became overdue'), t('Overdue')],
        rows: trend.map((p, i) => [
          <PeriodLink context={context} start={p.period_start} period={period}>
            {periodName(p.period_start, period, context, true)}
            {i === last && isRunning ? unfinishedWords(overview.answer.as_of, format) : ''}
          </PeriodLink>,
          line(p.period_start, 'assigned', p.assigned),
          line(p.period_start, 'completed', p.completed),
          line(p.period_start, 'graded', p.graded),
          line(p.period_start, 'became_overdue', p.became_overdue),
          line(p.period_start, 'overdue_at_end', p.overdue_at_end),
        ]),
      }}
      empty={trend.length === 0 ? <Empty context={context}>{t('No period in this scope.')}</Empty> : null}
    >
      <Plot
        {...drawn}
        format={format}
        label={t('Line chart. {finding}', { finding })}
        endLabels
        notes={notesOn(context, overview.options.teams, trend, period)}
      />
    </Figure>
  )
}

type PeriodLinkProps = { context: PageContext; start: string; period: Period; children?: Child }

/** The page with only the assignments of a period. The script makes a range of two of these. */
function PeriodLink({ context, start, period, children }: PeriodLinkProps) {
  const dates = {
    range: null,
    assigned_from: start,
    assigned_to: addDays(shiftPeriod(period, start, 1), -1),
    trend_from: null,
    trend_to: null,
  }
  return (
    <a
      href={`${samePageHref(context, withChange(allFilters(context), dates))}#trend`}
      title={t('Only what was assigned then')}
      data-period
    >
      {children}
    </a>
  )
}

const periodNames: Record<Period, Message> = { day: 'Day', week: 'Week', month: 'Month' }

/** The periods of the trend, as links: the URL is the state. */
export function PeriodSwitch({
  context,
  period,
  to = 'trend',
}: {
  context: PageContext
  period: Period
  to?: string
}) {
  return (
    <Segments
      label={t('Period')}
      links={periods.map((each) => ({
        name: t(periodNames[each]),
        href: `${samePageHref(context, withChange(allFilters(context), { period: each === 'week' ? null : each }))}#${to}`,
        isShown: each === period,
      }))}
      keepsPlace
    />
  )
}

export function CohortFigure({ context, overview, drawn, block }: FigureProps) {
  const { format } = context
  const cohorts = overview.due_cohorts
  const week = (start: string, name: 'on_time' | 'late' | 'open', n: number) => (
    <Count
      context={context}
      n={n}
      narrow={{
        due_from: start,
        due_to: addDays(start, 6),
        metric: 'on_time_rate',
        part: `fell_due.${name}`,
      }}
    />
  )
  const { as_of, time_zone } = overview.answer
  const finding = cohortFinding(cohorts, toLocalDate(time_zone, Date.parse(as_of)), format)
  return (
    <Figure
      id="due-cohorts"
      title={t('Is work completed by its due date?')}
      finding={finding}
      defines={['on_time_rate']}
      csv={block('due-cohorts')}
      sql={explainHref(context, 'on_time_rate')}
      table={{
        caption: t('Assignments by the week of their due day'),
        columns: [t('Week due'), t('On time'), t('Late'), t('Open'), t('On time, share')],
        rows: cohorts.map((c, i) => [
          `${t('Week of {start}', { start: format.day(c.period_start) })}${i === drawn.chart.running ? unfinishedWords(overview.answer.as_of, format) : ''}`,
          week(c.period_start, 'on_time', c.on_time),
          week(c.period_start, 'late', c.late),
          week(c.period_start, 'open', c.open),
          orNoData(c.on_time + c.late === 0 ? null : c.on_time / (c.on_time + c.late), format.percent),
        ]),
      }}
      empty={
        cohorts.length === 0 ? (
          <Empty context={context}>{t('Nothing in this scope has a due date.')}</Empty>
        ) : null
      }
    >
      <Plot
        {...drawn}
        format={format}
        label={t('Stacked columns by week due. {finding}', { finding })}
        target={targetWords(context, 'on_time_rate')}
        notes={notesOn(context, overview.options.teams, cohorts, 'week')}
      />
    </Figure>
  )
}

type GradeFigureProps = Omit<FigureProps, 'overview'> & { overview: Pick<Overview, 'answer'> }

export function GradeFigure({ context, overview, drawn, block }: GradeFigureProps) {
  const { format } = context
  const { grade, pass_rate } = overview.answer.metrics
  const finding = gradeFinding(grade, pass_rate, format)
  const label = (from: number, to: number) =>
    to === 100 ? t('{from} to {to}', { from, to }) : t('{from} to under {to}', { from, to })
  return (
    <Figure
      id="grades"
      title={t('How good are the results?')}
      finding={finding}
      defines={['grade', 'pass_rate']}
      csv={block('grades')}
      sql={explainHref(context, 'grade')}
      folded
      table={{
        caption: t('Grades in ten bins'),
        columns: [t('Grade'), t('Count'), t('Share§part')],
        rows: grade.histogram.map((bin) => [
          label(bin.from, bin.to),
          <Count context={context} n={bin.count} narrow={{ metric: 'grade', part: `bin.${bin.from}` }} />,
          orNoData(grade.n === 0 ? null : bin.count / grade.n, format.percent),
        ]),
      }}
      empty={grade.n === 0 || grade.median === null ? <Empty context={context}>{finding}</Empty> : null}
    >
      {grade.median === null || grade.n < fewestForHistogram ? (
        <GradeDots histogram={grade.histogram} />
      ) : (
        <Plot {...drawn} format={format} label={t('Histogram of grades. {finding}', { finding })}>
          <span
            class={`median at-x-${Math.round(Math.min(100, Math.max(0, grade.median)) * 2)} ${grade.median > 70 ? 'left' : ''}`}
          >
            <span>{t('median {median}', { median: format.decimal(grade.median) })}</span>
          </span>
        </Plot>
      )}
    </Figure>
  )
}

/** Too few for a histogram: each grade is a dot over its bin. */
function GradeDots({ histogram }: { histogram: { from: number; to: number; count: number }[] }) {
  return (
    <ol class="grade-dots" aria-hidden="true">
      {histogram.map((bin) => (
        <li>
          {Array.from({ length: bin.count }, () => (
            <i></i>
          ))}
          <span>{bin.from}</span>
        </li>
      ))}
    </ol>
  )
}

/** Says "no data", and points to the likely cause. */
function Empty({ context, children }: { context: PageContext; children?: Child }) {
  return (
    <>
      {children} <SetupLink context={context} />
    </>
  )
}

/** Whether the last of these periods is the one in which the moment lies. */
export function endsRunning(
  periodsShown: readonly { period_start: string }[],
  { as_of, time_zone }: Pick<Overview['answer'], 'as_of' | 'time_zone'>,
  period: Period,
): boolean {
  const today = toLocalDate(time_zone, Date.parse(as_of))
  return periodsShown.at(-1)?.period_start === toPeriodStart(period, today)
}

export function periodName(start: string, period: Period, { format }: PageContext, long = false): string {
  if (period === 'month') return format.month(start)
  return long && period === 'week' ? t('Week of {start}', { start: format.day(start) }) : format.day(start)
}
