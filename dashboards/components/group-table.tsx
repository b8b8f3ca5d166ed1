/** Groups, one a line: the share on time against that of everything, and what is behind. The table is the chart. */
import { t } from '../../language/translate.ts'
import type { RankingRow } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import { UnknownChallenge } from './people.tsx'
import { column, inFile, type Column, type Table } from './table.tsx'

export type GroupsOf<Row> = Pick<Table<Row>, 'label' | 'narrow' | 'order' | 'className'> & {
  /** The kind of a line in files; an attribute by its name. */
  kind: string
  head: Column<Row>['head']
  /** The page of a line; `null` if it has none. */
  href: (row: Row, context: PageContext) => string | null
  nameOf: (row: Row) => string
  /** The rate of everything, marked in the bars. */
  whole: number | null
  /** Whether the page shows only what needs help. Default: no. */
  isShort?: boolean
  /** Columns after the share on time, after the grading queue, and last. Default: none. */
  beside?: readonly Column<Row>[]
  after?: readonly Column<Row>[]
  last?: readonly Column<Row>[]
}

export type Rate = Pick<RankingRow['on_time_rate'], 'value' | 'numerator' | 'denominator'>

/** "12 of 30", under the pointer. */
export const rateWords = ({ numerator, denominator }: Rate, { format }: PageContext) =>
  t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) })

export const rateParts = <Row,>(of: (row: Row) => { completion_rate: Rate; on_time_rate: Rate }) => [
  inFile<Row>('count', 'completion_numerator', 'Completed', (row) => of(row).completion_rate.numerator),
  inFile<Row>('count', 'on_time_numerator', 'On time', (row) => of(row).on_time_rate.numerator),
  inFile<Row>('count', 'on_time_denominator', 'Due or done', (row) => of(row).on_time_rate.denominator),
]

/** With an order readers can sort the lines. */
export function groupsTable<Row extends RankingRow>(of: GroupsOf<Row>): Table<Row> {
  const { kind, head, label, href, nameOf, whole, isShort = false } = of
  const { narrow, order, className = 'ranking', beside = [], after = [], last = [] } = of
  const sorts = order !== undefined
  const more = { sorts, optional: true, ...(isShort && { only: 'file' as const }) }
  const toName = (row: Row, context: PageContext) => {
    const to = href(row, context)
    if (to === null) return row.id === '' ? <UnknownChallenge /> : <>{nameOf(row)}</>
    return (
      <a href={to} dir="auto">
        {nameOf(row)}
      </a>
    )
  }
  return {
    label,
    className,
    ...(narrow && { narrow }),
    ...(sorts && { order }),
    nameOf,
    columns: [
      column('text', `${kind}_name`, head, ({ name }) => name, {
        sorts,
        href,
        ...(kind === 'challenge' && { cell: toName }),
      }),
      column('percent', 'on_time_rate', 'On time', (row) => row.on_time_rate.value, {
        sorts,
        of: (row) => row.on_time_rate.denominator,
        bar: ({ on_time_rate: { value } }) =>
          value === null ? null : { share: value, series: 'completed', mark: whole },
        below: ({ format }) =>
          whole === null ? null : (
            <span class="mark-key">{t('average {whole}', { whole: format.percent(whole) })}</span>
          ),
        hint: (row, context) => rateWords(row.on_time_rate, context),
      }),
      ...beside,
      column('percent', 'completion_rate', 'Completed', (row) => row.completion_rate.value, {
        ...more,
        hint: (row, context) => rateWords(row.completion_rate, context),
      }),
      column('count', 'overdue', 'Overdue', { sorts, rows: { fact: 'overdue' } }),
      column('count', 'awaiting_grading', 'Waiting for a grade', {
        ...more,
        rows: { fact: 'awaiting_grading' },
      }),
      ...after,
      column('count', 'assigned', 'Assigned', { ...more, ...(!sorts && { rows: {} }) }),
      ...rateParts<Row>((row) => row),
      ...last,
      inFile('text', `${kind}_id`, 'Id', (row) => row.id),
    ],
  }
}
