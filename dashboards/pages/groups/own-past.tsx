/** The same people and assignments as they stood at earlier moments. */
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { toDaysBefore } from '../../../schemas/metrics/calendar.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { column, inFile, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { oneOf } from '../../scope/page-keys.ts'
import { rowsHref, type Narrow } from '../../scope/page-url.ts'

export type Standing = { as_of: string; metrics: Metrics }

/** Weeks, so that weekdays meet their like. */
export const pastDays = [28, 91] as const

/** The same scope as it stood some days before. */
export function earlier(scope: Scope, days: number): Scope {
  return { ...scope, asOf: Math.max(0, toDaysBefore(scope.timeZone, scope.asOf, days)) }
}

/** Whether a manager's numbers are those of direct reports, or of everyone below. Default: direct. */
export const reportsKey = oneOf(['direct', 'all'] as const, {
  label: 'Whose assignments count',
  words: (which) => (which === 'all' ? t('All reports') : t('Direct reports')),
  isSwitch: true,
})

type Part = { numerator: number; denominator: number }
const share = ({ numerator, denominator }: Part, { format }: PageContext) =>
  t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) })

/** `rowParams`: the scope of the page. */
export function pastTable(rowParams: URLSearchParams): Table<Standing> {
  const rows = (narrow: Narrow) => ({ href: ({ as_of }: Standing) => rowsHref(rowParams, as_of, narrow) })
  return {
    label: 'The same scope at earlier moments',
    className: 'data',
    columns: [
      column('instant', 'as_of', 'As of', (row) => row.as_of),
      column('count', 'assigned', 'Assigned', (row) => row.metrics.assigned.value, { optional: true }),
      column('percent', 'completion_rate', 'Completed', (row) => row.metrics.completion_rate.value, {
        hint: (row, context) => share(row.metrics.completion_rate, context),
      }),
      column('percent', 'on_time_rate', 'On time', (row) => row.metrics.on_time_rate.value, {
        of: (row) => row.metrics.on_time_rate.denominator,
        hint: (row, context) => share(row.metrics.on_time_rate, context),
      }),
      column('count', 'overdue', 'Overdue', (row) => row.metrics.overdue.value, rows({ fact: 'overdue' })),
      column('count', 'awaiting_grading', 'Waiting for a grade', (row) => row.metrics.grading_backlog.value, {
        optional: true,
        ...rows({ fact: 'awaiting_grading' }),
      }),
      column(
        'duration',
        'time_to_complete_p50_ms',
        'Time to complete, median',
        (row) => row.metrics.time_to_complete.p50_ms,
        {
          optional: true,
          of: (row) => row.metrics.time_to_complete.n,
        },
      ),
      column('decimal', 'grade_median', 'Grade, median', (row) => row.metrics.grade.median, {
        optional: true,
        of: (row) => row.metrics.grade.n,
      }),
      inFile('count', 'completion_numerator', 'Completed', (row) => row.metrics.completion_rate.numerator),
      inFile('count', 'on_time_numerator', 'On time', (row) => row.metrics.on_time_rate.numerator),
      inFile('count', 'on_time_denominator', 'Due or done', (row) => row.metrics.on_time_rate.denominator),
      inFile('count', 'time_to_complete_n', 'Time to complete, n', (row) => row.metrics.time_to_complete.n),
      inFile('count', 'grade_n', 'Grades', (row) => row.metrics.grade.n),
    ],
  }
}

/** `standings`: the newest first. */
export function pastFinding([now, before]: readonly Standing[], format: Format): string {
  if (now === undefined || before === undefined || before.metrics.assigned.value === 0)
    return t('No data that far back.')
  const [a, b] = [now.metrics.on_time_rate.value, before.metrics.on_time_rate.value]
  const change = now.metrics.overdue.value - before.metrics.overdue.value
  const words = {
    since: format.instantDay(before.as_of),
    overdue: change === 0 ? t('as many overdue') : t('{change} overdue', { change: format.signed(change) }),
  }
  if (a === null || b === null) return t('Since {since}: {overdue}.', words)
  return t('Since {since}: {overdue}, on time {points}.', { ...words, points: format.points(a - b) })
}
