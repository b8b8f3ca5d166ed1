import type { Child } from 'hono/jsx'
import { t, type Message } from '../../../language/translate.ts'
import type { GroupRow, ManagerRow } from '../../../reporting/statements/groups.ts'
import { fewestToRank, rowName } from '../../components/figures/findings.ts'
import { ChangeMark } from '../../components/figures/headline.tsx'
import { UnknownChallenge } from '../../components/people.tsx'
import { column, inFile, type Column, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import type { Narrow } from '../../scope/page-url.ts'

/** `before`: on time four weeks earlier; `null`: there was none. Undefined: the table has one moment. */
export type Line = GroupRow &
  Partial<Pick<ManagerRow, 'people' | 'reports'>> & { before?: GroupRow['on_time_rate'] | null }

/** The change of the share on time in four weeks; `null`: too few are decided, now or then. */
function toChange({ on_time_rate: now, before }: Line): number | null {
  if (!before || Math.min(now.denominator, before.denominator) < fewestToRank) return null
  return now.value === null || before.value === null ? null : now.value - before.value
}

function Change({ row, context: { format } }: { row: Line; context: PageContext }) {
  const change = toChange(row)
  if (change === null) return <span class="no-data">{t('no data')}</span>
  // A change that shows as 0.0 points is none.
  const direction = Math.abs(change) < 0.0005 ? 'same' : change > 0 ? 'up' : 'down'
  const text = direction === 'same' ? t('no change') : format.signed(change * 100)
  return <ChangeMark change={{ text, direction, good: direction === 'same' ? null : direction === 'up' }} />
}

type Part = { numerator: number; denominator: number }
const ofWords = ({ numerator, denominator }: Part, { format }: PageContext) =>
  t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) })

export type LinesOf = {
  /** The kind of a line in files; an attribute by its name. */
  kind: string
  /** The same on the page. */
  head: string
  label: Message
  /** The assignments of a line. */
  narrow: (line: Line) => Narrow
  rowsIn?: PageContext['rows']
  /** The page of a line; `null` if it has none. */
  href: (line: Line, context: PageContext) => string | null
  nameOf?: (line: Line) => string
  /** The rate of everything, marked in the bars. */
  whole: number | null
  order: string
  /** Whether the lines have people, and an earlier moment. Default: no. */
  hasPeople?: boolean
  isCompared?: boolean
}

/** Groups or people, one a line: the table is the chart. */
export function linesTable(of: LinesOf): Table<Line> {
  const { kind, head, label, narrow, href, whole, order, hasPeople = false, isCompared = false } = of
  const average = ({ format }: PageContext): Child =>
    whole === null ? null : (
      <span class="mark-key">{t('average {whole}', { whole: format.percent(whole) })}</span>
    )
  const past: Column<Line>[] = [
    inFile(
      'percent',
      'on_time_rate_4_weeks_before',
      'On time, 4 weeks before',
      ({ before }) => before?.value ?? null,
    ),
    inFile(
      'count',
      'on_time_denominator_4_weeks_before',
      'Due or done, 4 weeks before',
      ({ before }) => before?.denominator ?? 0,
    ),
  ]
  const change = column<Line>('decimal', 'change', 'vs. 4 weeks ago', toChange, {
    only: 'page',
    sorts: true,
    optional: true,
    cell: (row, context) => <Change row={row} context={context} />,
  })
  return {
    label,
    className: 'ranking lines',
    narrow,
    ...(of.rowsIn !== undefined && { rowsIn: of.rowsIn }),
    order,
    nameOf: of.nameOf ?? (({ name, id }) => name || id),
    columns: [
      column(
        'text',
        `${kind}_name`,
        () => head,
        (row) => row.name,
        {
          sorts: true,
          href,
          ...(kind === 'challenge' && {
            cell: (row, context) => <ChallengeName row={row} href={href(row, context)} />,
          }),
        },
      ),
      column('percent', 'on_time_rate', 'On time', (row) => row.on_time_rate.value, {
        sorts: true,
        of: (row) => row.on_time_rate.denominator,
        bar: ({ on_time_rate: { value } }) =>
          value === null ? null : { share: value, series: 'completed', mark: whole },
        below: average,
        hint: (row, context) => ofWords(row.on_time_rate, context),
      }),
      ...(isCompared ? [change] : []),
      column('percent', 'completion_rate', 'Completed', (row) => row.completion_rate.value, {
        sorts: true,
        optional: true,
        hint: (row, context) => ofWords(row.completion_rate, context),
      }),
      column('count', 'overdue', 'Overdue', (row) => row.overdue, { sorts: true, rows: { fact: 'overdue' } }),
      column('count', 'awaiting_grading', 'Waiting for a grade', (row) => row.awaiting_grading, {
        sorts: true,
        optional: true,
        rows: { fact: 'awaiting_grading' },
      }),
      column('decimal', 'grade_median', 'Grade, median', (row) => row.grade.median, {
        sorts: true,
        optional: true,
        of: (row) => row.grade.n,
      }),
      column('count', 'assigned', 'Assigned', (row) => row.assigned, { sorts: true, optional: true }),
      ...(hasPeople
        ? [
            column<Line>('count', 'people', 'People', ({ people }) => people ?? 0, { optional: true }),
            inFile<Line>('count', 'direct_reports', 'Direct reports', ({ reports }) => reports ?? 0),
          ]
        : []),
      inFile('count', 'completion_numerator', 'Completed', (row) => row.completion_rate.numerator),
      inFile('count', 'on_time_numerator', 'On time', (row) => row.on_time_rate.numerator),
      inFile('count', 'on_time_denominator', 'Due or done', (row) => row.on_time_rate.denominator),
      ...(isCompared ? past : []),
      inFile('count', 'grade_n', 'Grades', (row) => row.grade.n),
      inFile('text', `${kind}_id`, 'Id', (row) => row.id),
    ],
  }
}

function ChallengeName({ row, href }: { row: Line; href: string | null }) {
  if (href === null && row.id === '') return <UnknownChallenge />
  const name = rowName(row, 'challenge')
  return href === null ? (
    <>{name}</>
  ) : (
    <a href={href} dir="auto">
      {name}
    </a>
  )
}
