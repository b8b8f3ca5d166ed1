/** The drawn figures of the Overview: trend, due cohorts, grades. Words come from `text/`, marks from `charts/`. */
import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import type { Child } from 'hono/jsx'
import type { Chart } from '../../charts/chart.ts'
import { fewestForHistogram } from '../../charts/grade-chart.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Figure } from '../../components/figure.tsx'
import { Plot } from '../../components/plot.tsx'
import { periods } from '../../../schemas/metrics/answer.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { cohortFinding, gradeFinding, trendFinding } from '../../text/findings.ts'
import { href, withChange } from '../../url/page-url.ts'

export type DrawnChart = { chart: Chart; svg: string | null }

export type FigureProps = { context: PageContext; overview: Overview; drawn: DrawnChart; csv: string; sql: string }

export function TrendFigure({ context, overview, drawn, csv, sql }: FigureProps) {
  const { format } = context
  const { trend } = overview.answer.metrics
  const { period } = overview.answer
  const before = overview.previous?.metrics.trend ?? null
  const finding = trendFinding(trend, period, format)
  const last = trend.length - 1
  return (
    <Figure
      id="trend"
      className="wide"
      title="Are we keeping up?"
      finding={finding}
      defines={['trend']}
      csv={csv}
      sql={sql}
      tools={<PeriodSwitch context={context} period={period} />}
      table={
        <DataTable
          caption="Assigned, completed, graded and overdue per period"
          columns={[
            'Period',
            'Assigned',
            'Completed',
            ...(before === null ? [] : ['Completed before']),
            'Graded',
            'Became overdue',
            'Overdue at end',
          ]}
          rows={trend.map((p, i) => [
            `${periodName(p.period_start, period, context, true)}${i === last ? ', so far' : ''}`,
            format.count(p.assigned),
            format.count(p.completed),
            ...(before === null ? [] : [countOrNone(before[before.length - trend.length + i]?.completed, context)]),
            format.count(p.graded),
            format.count(p.became_overdue),
            format.count(p.overdue_at_end),
          ])}
        />
      }
    >
      {trend.length === 0 ? (
        <Empty>No period in this scope.</Empty>
      ) : (
        <Plot
          {...drawn}
          format={format}
          label={`Line chart. ${finding}`}
          endLabels
          dashed={before === null ? undefined : 'Completed in the previous range'}
        />
      )}
    </Figure>
  )
}

/** The periods of the trend, as links: the URL is the state. */
function PeriodSwitch({ context, period }: { context: PageContext; period: string }) {
  return (
    <nav class="segments" aria-label="Period">
      {periods.map((each) => (
        <a
          href={`${href(context.path, withChange(context.params, { period: each === 'week' ? null : each }))}#trend`}
          aria-current={each === period ? 'true' : undefined}
          data-keep-place
        >
          {each.charAt(0).toUpperCase() + each.slice(1)}
        </a>
      ))}
    </nav>
  )
}

export function CohortFigure({ context, overview, drawn, csv, sql }: FigureProps) {
  const { format } = context
  const cohorts = overview.due_cohorts
  const finding = cohortFinding(
    cohorts,
    toLocalDate(overview.answer.time_zone, Date.parse(overview.answer.as_of)),
    format,
  )
  return (
    <Figure
      id="due-cohorts"
      title="Is what falls due finished in time?"
      finding={finding}
      defines={['on_time_rate']}
      csv={csv}
      sql={sql}
      table={
        <DataTable
          caption="Assignments by the week of their due day"
          columns={['Week due', 'On time', 'Late', 'Open', 'On time, share']}
          rows={cohorts.map((c, i) => [
            `Week of ${format.day(c.period_start)}${i === drawn.chart.running ? ', so far' : ''}`,
            format.count(c.on_time),
            format.count(c.late),
            format.count(c.open),
            c.on_time + c.late === 0 ? 'no data' : format.percent(c.on_time / (c.on_time + c.late)),
          ])}
        />
      }
    >
      {cohorts.length === 0 ? (
        <Empty>Nothing in this scope has a due date.</Empty>
      ) : (
        <Plot {...drawn} format={format} label={`Stacked columns by week due. ${finding}`} />
      )}
    </Figure>
  )
}

export function GradeFigure({ context, overview, drawn, csv, sql }: FigureProps) {
  const { format } = context
  const { grade, pass_rate } = overview.answer.metrics
  const finding = gradeFinding(grade, pass_rate, format)
  const label = (from: number, to: number) => (to === 100 ? `${from} to 100` : `${from} to under ${to}`)
  return (
    <Figure
      id="grades"
      title="How good are the results?"
      finding={finding}
      defines={['grade', 'pass_rate']}
      csv={csv}
      sql={sql}
      table={
        <DataTable
          caption="Grades in ten bins"
          columns={['Grade', 'Count', 'Share']}
          rows={grade.histogram.map((bin) => [
            label(bin.from, bin.to),
            format.count(bin.count),
            grade.n === 0 ? 'no data' : format.percent(bin.count / grade.n),
          ])}
        />
      }
    >
      {grade.n === 0 || grade.median === null ? (
        <Empty>Nothing has been graded in this scope.</Empty>
      ) : grade.n < fewestForHistogram ? (
        <GradeDots histogram={grade.histogram} />
      ) : (
        <Plot {...drawn} format={format} label={`Histogram of grades. ${finding}`}>
          <span
            class={`median at-x-${Math.round(Math.min(100, Math.max(0, grade.median)) * 2)} ${grade.median > 70 ? 'left' : ''}`}
          >
            <span>median {format.decimal(grade.median)}</span>
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
function Empty({ children }: { children?: Child }) {
  return (
    <p class="empty">
      {children} <a href="/setup">Is data arriving?</a>
    </p>
  )
}

export function periodName(start: string, period: string, { format }: PageContext, long = false): string {
  if (period === 'month') return format.month(start)
  return long && period === 'week' ? `Week of ${format.day(start)}` : format.day(start)
}

function countOrNone(value: number | undefined, { format }: PageContext): string {
  return value === undefined ? 'no data' : format.count(value)
}
