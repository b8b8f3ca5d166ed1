/** The tables of groups: all of them, a line each; and of one group its past and its days to complete. */
import { t, type Message } from '../../../language/translate.ts'
import type { DaysToComplete } from '../../../reporting/columns/days-to-complete.ts'
import type { GroupRow, ManagerRow } from '../../../reporting/statements/groups.ts'
import type { Duration, Metrics } from '../../../schemas/metrics/answer.ts'
import type { Format } from '../../../language/format.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { ChangeMark } from '../../components/figures/headline.tsx'
import { groupsTable, rateParts, rateWords } from '../../components/group-table.tsx'
import type { GroupsOf, Rate } from '../../components/group-table.tsx'
import { column, inFile, shareOf, type Column, type Table } from '../../components/table.tsx'
import { rowsHref, type Narrow } from '../../scope/page-url.ts'

/** `before`: on time four weeks earlier; `null`: there was none. */
export type Line = GroupRow &
  Partial<Pick<ManagerRow, 'people' | 'reports'>> & { before?: GroupRow['on_time_rate'] | null }

const rate = <Row,>(key: string, head: Message, of: (row: Row) => Rate, more: Partial<Column<Row>> = {}) =>
  column<Row>('percent', key, head, (row) => of(row).value, {
    hint: (row, context) => rateWords(of(row), context),
    ...more,
  })

/** The change of the share on time in four weeks; `null`: too few are decided, now or then. */
function toChange({ on_time_rate: now, before }: Line): number | null {
  const isFew = Math.min(now.denominator, before?.denominator ?? 0) < fewestToRank
  return isFew || now.value === null || before?.value == null ? null : now.value - before.value
}

const compared: Column<Line>[] = [
  column('decimal', 'change', 'vs. 4 weeks ago', toChange, {
    only: 'page',
    sorts: true,
    optional: true,
    cell(row, { format }) {
      const change = toChange(row)
      if (change === null) return <span class="no-data">{t('no data')}</span>
      // A change that shows as 0.0 points is none.
      if (Math.abs(change) < 0.0005)
        return <ChangeMark change={{ text: t('no change'), direction: 'same', good: null }} />
      const [text, good] = [format.signed(change * 100), change > 0]
      return <ChangeMark change={{ text, direction: good ? 'up' : 'down', good }} />
    },
  }),
  inFile(
    'percent',
    'on_time_rate_4_weeks_before',
    'On time, 4 weeks before',
    (row) => row.before?.value ?? null,
  ),
  inFile(
    'count',
    'on_time_denominator_4_weeks_before',
    'Due or done, 4 weeks before',
    (row) => row.before?.denominator ?? 0,
  ),
]

const ofManagers: Column<Line>[] = [
  column('count', 'people', 'People', ({ people }) => people ?? 0, { optional: true }),
  inFile('count', 'direct_reports', 'Direct reports', ({ reports }) => reports ?? 0),
]

const grade = column<Line>('decimal', 'grade_median', 'Grade, median', (row) => row.grade.median, {
  sorts: true,
  optional: true,
  of: (row) => row.grade.n,
})

type LinesOf = Pick<GroupsOf<Line>, 'kind' | 'head' | 'label' | 'narrow' | 'href' | 'nameOf' | 'whole'>

/** Groups, one a line, with their grades and their change in four weeks. */
export const linesTable = (of: LinesOf): Table<Line> =>
  groupsTable<Line>({
    className: 'ranking lines',
    order: of.kind === 'manager' ? '-overdue' : 'on_time_rate',
    beside: compared,
    after: [grade],
    last: [
      ...(of.kind === 'manager' ? ofManagers : []),
      inFile('count', 'grade_n', 'Grades', (row) => row.grade.n),
    ],
    ...of,
  })

export type Standing = { as_of: string; metrics: Metrics }

/** The same people and assignments at earlier moments. `rowParams`: the scope of the page. */
export function pastTable(rowParams: URLSearchParams): Table<Standing> {
  const rows = (narrow: Narrow) => ({ href: ({ as_of }: Standing) => rowsHref(rowParams, as_of, narrow) })
  const time = ({ metrics }: Standing) => metrics.time_to_complete
  return {
    label: 'The same scope at earlier moments',
    className: 'data list-cards named',
    columns: [
      column('instant', 'as_of', 'As of'),
      column('count', 'assigned', 'Assigned', (row) => row.metrics.assigned.value, { optional: true }),
      rate('completion_rate', 'Completed', (row) => row.metrics.completion_rate),
      rate('on_time_rate', 'On time', (row) => row.metrics.on_time_rate, {
        of: (row) => row.metrics.on_time_rate.denominator,
      }),
      column('count', 'overdue', 'Overdue', (row) => row.metrics.overdue.value, rows({ fact: 'overdue' })),
      column('count', 'awaiting_grading', 'Waiting for a grade', (row) => row.metrics.grading_backlog.value, {
        optional: true,
        ...rows({ fact: 'awaiting_grading' }),
      }),
      column('duration', 'time_to_complete_p50_ms', 'Time to complete, median', (row) => time(row).p50_ms, {
        optional: true,
        of: (row) => time(row).n,
      }),
      column('decimal', 'grade_median', 'Grade, median', (row) => row.metrics.grade.median, {
        optional: true,
        of: (row) => row.metrics.grade.n,
      }),
      ...rateParts<Standing>((row) => row.metrics),
      inFile('count', 'time_to_complete_n', 'Time to complete, n', (row) => time(row).n),
      inFile('count', 'grade_n', 'Grades', (row) => row.metrics.grade.n),
    ],
  }
}

/** Assignments that were completed after `from` to under `to` whole days; the last has no end. */
export type DaysBin = { from: number; to: number | null; count: number }

const binStarts = [0, 1, 2, 4, 8, 15, 31, 61, 121]

/** Up to the last bin with an assignment. */
export function toDaysBins(took: DaysToComplete): DaysBin[] {
  const bins = binStarts.map((from, at): DaysBin => {
    const to = binStarts[at + 1] ?? null
    const isIn = ({ days }: { days: number }) => days >= from && (to === null || days < to)
    return { from, to, count: took.filter(isIn).reduce((sum, { n }) => sum + n, 0) }
  })
  return bins.slice(0, bins.findLastIndex(({ count }) => count > 0) + 1)
}

export const daysTable = ({ n }: Duration, format: Format): Table<DaysBin> => ({
  label: 'Days to complete',
  nameOf: ({ from, to }) => {
    if (to === null) return t('{from} or more', { from: format.count(from) })
    return to === from + 1
      ? format.count(from)
      : t('{from} to {to}', { from: format.count(from), to: format.count(to - 1) })
  },
  columns: [
    column('count', 'days_from', 'Days', ({ from }) => from),
    inFile('count', 'days_to', 'Days, to', ({ to }) => (to === null ? null : to - 1)),
    column('count', 'completed', 'Completed', ({ count }) => count),
    shareOf(n, ({ count }) => count),
  ],
})
