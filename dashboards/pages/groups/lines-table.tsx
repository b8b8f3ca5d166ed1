import { type Message, t } from '../../../language/translate.ts'
import { Bar } from '../../components/bar.tsx'
import { CountCell } from '../../components/count-cell.tsx'
import type { Format } from '../../../language/format.ts'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { type Narrow, rowsHref } from '../../scope/page-url.ts'
import { ChangeMark } from '../../components/figures/change-mark.tsx'
import { type Line, type LineSort, type LinesState, toChange } from './all-state.ts'

export type LinesTableProps = {
  context: PageContext
  /** What a line is: "Team". */
  head: string
  lines: readonly Line[]
  /** Where the rows behind the numbers are: the scope as the API reads it, and the moment. */
  rowParams: URLSearchParams
  asOf: string
  /** What narrows the scope to a line; `null` where nothing can. */
  narrow: (line: Line) => Narrow | null
  /** The page of a line; `null` where it has none. */
  page: (line: Line) => string | null
  nameOf: (line: Line) => string
  /** The rate of everything, marked in the bars. */
  whole: number | null
  /** The moment with which lines are compared. Left out: they are not. */
  since?: string
  sorting?: { state: LinesState; href: (sort: LineSort) => string }
}

const columns: { sort: LineSort; name: Message; className: string }[] = [
  { sort: 'completion', name: 'Completed', className: 'number' },
  { sort: 'overdue', name: 'Overdue', className: 'number' },
  { sort: 'awaiting', name: 'To grade', className: 'number' },
  { sort: 'grade', name: 'Median grade', className: 'number' },
  { sort: 'assigned', name: 'Assigned', className: 'number' },
]

/** Groups or people, one a line: the table is the chart. */
export function LinesTable(props: LinesTableProps) {
  const { head, lines, whole, since, context, sorting } = props
  const hasPeople = lines.some(({ people }) => people !== undefined)
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={t('{head}, line by line', { head })}>
      <table class="ranking lines">
        <thead>
          <tr>
            <Head name={head} sort="name" sorting={sorting} />
            <Head name={t('On time')} sort="on_time" className="bar-cell" sorting={sorting}>
              {whole === null ? null : (
                <span class="mark-key">{t('average {whole}', { whole: context.format.percent(whole) })}</span>
              )}
            </Head>
            <th scope="col" class="number">
              <span class="visually-hidden rate-head">{t('On time')}</span>
            </th>
            {since === undefined ? null : (
              <Head
                name={t('On time since {since}, points', { since: context.format.instantDay(since) })}
                sort="change"
                className="number"
                sorting={sorting}
              />
            )}
            {columns.map((column) => (
              <Head {...column} name={t(column.name)} sorting={sorting} />
            ))}
            {hasPeople ? (
              <th scope="col" class="number">
                {t('People')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row {...props} line={line} hasPeople={hasPeople} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadProps = {
  name: string
  sort: LineSort
  className?: string
  sorting: LinesTableProps['sorting']
  children?: unknown
}

function Head({ name, sort, className, sorting, children }: HeadProps) {
  const isSorted = sorting?.state.sort === sort
  const direction = sorting?.state.descending === true ? 'descending' : 'ascending'
  return (
    <th scope="col" class={className} aria-sort={isSorted ? direction : undefined}>
      {sorting === undefined ? (
        name
      ) : (
        <a href={sorting.href(sort)} data-keep-place>
          {name}
          {isSorted ? <span aria-hidden="true"> {direction === 'descending' ? '↓' : '↑'}</span> : null}
        </a>
      )}
      {children as never}
    </th>
  )
}

function Row({
  context: { format },
  line,
  rowParams,
  asOf,
  narrow,
  page,
  nameOf,
  whole,
  since,
  hasPeople,
}: LinesTableProps & { line: Line; hasPeople: boolean }) {
  const name = nameOf(line)
  const filter = narrow(line)
  const to = (more: Narrow) => (filter === null ? null : rowsHref(rowParams, asOf, { ...filter, ...more }))
  const { value, numerator, denominator } = line.on_time_rate
  const ownPage = page(line)
  const decided = denominator === 0 ? null : to({ metric: 'on_time_rate', part: 'denominator' })
  const completed = line.completion_rate.numerator === 0 ? null : to({ fact: 'completed' })
  const share = line.completion_rate.value === null ? null : format.percent(line.completion_rate.value)
  const graded = to({ metric: 'grade', part: 'n' })
  const base = t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) })
  return (
    <tr class={denominator < fewestToRank ? 'few-decided' : undefined}>
      <th scope="row">{ownPage === null ? name : <a href={ownPage}>{name}</a>}</th>
      <td class="bar-cell">{value === null ? null : <Bar share={value} series="completed" mark={whole} />}</td>
      <td class="number rate">
        {value === null ? <span class="no-data">{t('no data')}</span> : format.percent(value)}
        <small>{decided === null ? base : <a href={decided}>{base}</a>}</small>
      </td>
      {since === undefined ? null : (
        <td class="number">
          <Direction change={toChange(line)} format={format} />
        </td>
      )}
      <td class="number">
        {share === null ? (
          <span class="no-data">{t('no data')}</span>
        ) : completed === null ? (
          share
        ) : (
          <a href={completed}>{share}</a>
        )}
      </td>
      <CountCell
        n={line.overdue}
        href={to({ fact: 'overdue' })}
        what={t('overdue, {name}', { name })}
        format={format}
      />
      <CountCell
        n={line.awaiting_grading}
        href={to({ fact: 'awaiting_grading' })}
        what={t('waiting for a grade, {name}', { name })}
        format={format}
      />
      <td class="number">
        {line.grade.median === null ? (
          <span class="no-data">{t('no data')}</span>
        ) : graded === null ? (
          format.decimal(line.grade.median)
        ) : (
          <a href={graded} title={`n = ${format.count(line.grade.n)}`}>
            {format.decimal(line.grade.median)}
          </a>
        )}
      </td>
      <CountCell n={line.assigned} href={to({})} what={t('assigned, {name}', { name })} format={format} />
      {hasPeople ? <td class="number">{format.count(line.people ?? 0)}</td> : null}
    </tr>
  )
}

function Direction({ change, format }: { change: number | null; format: Format }) {
  if (change === null) return <span class="no-data">{t('no data')}</span>
  // What shows as 0.0 points is no change.
  const direction = Math.abs(change) < 0.0005 ? 'same' : change > 0 ? 'up' : 'down'
  const text = direction === 'same' ? t('no change') : format.signed(change * 100)
  return <ChangeMark change={{ text, direction, good: direction === 'same' ? null : direction === 'up' }} />
}
