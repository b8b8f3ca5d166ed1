/** The same people and assignments as they stood at earlier moments, beside each other. */
import { type Message, t } from '../../../language/translate.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { TableColumns } from '../../../reporting/exports/csv.ts'
import { toDaysBefore } from '../../../schemas/metrics/calendar.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { Figure } from '../../components/figure.tsx'
import type { PageContext } from '../../page-context.ts'
import type { Format } from '../../../language/format.ts'
import { href, type Narrow, rowsHref, withChange } from '../../scope/page-url.ts'
import { Listing, numeric, orNoData } from '../../components/listing.tsx'

export type Standing = { as_of: string; metrics: Metrics }

/** Weeks, so that weekdays meet their like. */
export const pastDays = [28, 91] as const

/** The same scope as it stood some days before. */
export function earlier(scope: Scope, days: number): Scope {
  return { ...scope, asOf: Math.max(0, toDaysBefore(scope.timeZone, scope.asOf, days)) }
}

type Line = {
  name: Message
  value: (metrics: Metrics, format: Format) => string | null
  of?: (metrics: Metrics, format: Format) => string
  rows: Narrow
}

function share(metric: 'completion_rate' | 'on_time_rate'): Pick<Line, 'value' | 'of'> {
  return {
    value: ({ [metric]: { value } }, format) => (value === null ? null : format.percent(value)),
    of: ({ [metric]: { numerator, denominator } }, format) =>
      t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) }),
  }
}

const lines: Line[] = [
  { name: 'Assigned', value: ({ assigned }, format) => format.count(assigned.value), rows: {} },
  { name: 'Completed', ...share('completion_rate'), rows: { fact: 'completed' } },
  { name: 'On time', ...share('on_time_rate'), rows: { metric: 'on_time_rate', part: 'denominator' } },
  { name: 'Overdue', value: ({ overdue }, format) => format.count(overdue.value), rows: { fact: 'overdue' } },
  {
    name: 'Waiting for a grade',
    value: ({ grading_backlog }, format) => format.count(grading_backlog.value),
    rows: { fact: 'awaiting_grading' },
  },
  {
    name: 'Time to complete, median',
    value: ({ time_to_complete: { p50_ms } }, format) => (p50_ms === null ? null : format.duration(p50_ms)),
    of: ({ time_to_complete }, format) => `n = ${format.count(time_to_complete.n)}`,
    rows: { metric: 'time_to_complete', part: 'n' },
  },
  {
    name: 'Grade, median',
    value: ({ grade }, format) => (grade.median === null ? null : format.decimal(grade.median)),
    of: ({ grade }, format) => `n = ${format.count(grade.n)}`,
    rows: { metric: 'grade', part: 'n' },
  },
]

/** The lines of the figure, a moment in each row. */
export const pastColumns: TableColumns<Standing> = {
  as_of: ({ as_of }) => as_of,
  assigned: ({ metrics }) => metrics.assigned.value,
  completion_rate: ({ metrics }) => metrics.completion_rate.value,
  completion_numerator: ({ metrics }) => metrics.completion_rate.numerator,
  on_time_rate: ({ metrics }) => metrics.on_time_rate.value,
  on_time_numerator: ({ metrics }) => metrics.on_time_rate.numerator,
  on_time_denominator: ({ metrics }) => metrics.on_time_rate.denominator,
  overdue: ({ metrics }) => metrics.overdue.value,
  awaiting_grading: ({ metrics }) => metrics.grading_backlog.value,
  time_to_complete_p50_ms: ({ metrics }) => metrics.time_to_complete.p50_ms,
  time_to_complete_n: ({ metrics }) => metrics.time_to_complete.n,
  grade_median: ({ metrics }) => metrics.grade.median,
  grade_n: ({ metrics }) => metrics.grade.n,
}

type OwnPastProps = { context: PageContext; standings: readonly Standing[]; rowParams: URLSearchParams }

/** `standings`: the newest first. */
export function OwnPast({ context, standings, rowParams }: OwnPastProps) {
  const { format } = context
  return (
    <Figure
      id="own-past"
      title={t('Is it getting better?')}
      finding={pastFinding(standings, format)}
      defines={['completion_rate', 'on_time_rate', 'time_to_complete', 'grade']}
      csv={href('/own-past.csv', withChange(rowParams, { as_of: standings[0]?.as_of ?? null }))}
    >
      <Listing
        className="data"
        label={t('The same scope as it stood at each moment')}
        columns={[t('As of'), ...standings.map(({ as_of }) => numeric(format.instantDay(as_of)))]}
        rows={lines.map((line) => (
          <tr>
            <th scope="row">{t(line.name)}</th>
            {standings.map((standing) => (
              <Cell line={line} standing={standing} format={format} rowParams={rowParams} />
            ))}
          </tr>
        ))}
      />
    </Figure>
  )
}

type CellProps = { line: Line; standing: Standing; format: Format; rowParams: URLSearchParams }

function Cell({ line, standing: { as_of, metrics }, format, rowParams }: CellProps) {
  const value = metrics.assigned.value === 0 ? null : line.value(metrics, format)
  const link = rowsHref(rowParams, as_of, line.rows)
  return (
    <td class="number">
      {orNoData(value, (text) => (
        <>
          {link === null ? text : <a href={link}>{text}</a>}
          {line.of === undefined ? null : <small class="base"> {line.of(metrics, format)}</small>}
        </>
      ))}
    </td>
  )
}

function pastFinding([now, before]: readonly Standing[], format: Format): string {
  const [a, b] = [now?.metrics.on_time_rate.value ?? null, before?.metrics.on_time_rate.value ?? null]
  if (now === undefined || before === undefined || before.metrics.assigned.value === 0)
    return t('There is nothing of four weeks before to compare with.')
  const overdue = now.metrics.overdue.value - before.metrics.overdue.value
  const since = format.instantDay(before.as_of)
  const overdueWords = overdue === 0 ? t('as many overdue') : t('{change} overdue', { change: format.signed(overdue) })
  return a === null || b === null
    ? t('Since {since}: {said}.', { since, said: overdueWords })
    : t('Since {since}: {said}, on time {points}.', { since, said: overdueWords, points: format.points(a - b) })
}
