import type { Child } from 'hono/jsx'
import { t } from '../../../language/translate.ts'
import { Bar } from '../../components/bar.tsx'
import { CountCell, rowsOf } from '../../components/count.tsx'
import type { Format } from '../../../language/format.ts'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import type { Narrow } from '../../scope/page-url.ts'
import { ChangeMark } from '../../components/figures/headline.tsx'
import { type Line, type LineSort, type LinesState, toChange } from './all-state.ts'
import { Listing, numeric, orNoData } from '../../components/listing.tsx'

export type LinesTableProps = {
  context: PageContext
  /** The kind of a line: "Team". */
  head: string
  lines: readonly Line[]
  /** The filter for a line. */
  narrow: (line: Line) => Narrow
  /** The line of people in none. Default: its name. */
  lost?: Child
  /** The page of a line; `null` where it has none. */
  page: (line: Line) => string | null
  nameOf: (line: Line) => string
  /** The rate of everything, marked in the bars. */
  whole: number | null
  /** The moment with which lines are compared. Left out: they are not. */
  since?: string
  sorting?: { state: LinesState; href: (sort: LineSort) => string }
}

/** Groups or people, one a line: the table is the chart. */
export function LinesTable(props: LinesTableProps) {
  const { head, lines, whole, since, context, sorting } = props
  const hasPeople = lines.some(({ people }) => people !== undefined)
  const column = (name: string, sort: LineSort, className?: string) => {
    const direction = sorting?.state.descending === true ? ('descending' as const) : ('ascending' as const)
    const isSorted = sorting?.state.sort === sort
    return {
      name,
      className,
      sort: sorting && { href: sorting.href(sort), direction: isSorted ? direction : undefined, keepsPlace: true },
    }
  }
  return (
    <Listing
      label={t('{head}, line by line', { head })}
      className="ranking lines"
      columns={[
        column(head, 'name'),
        {
          ...column(t('On time'), 'on_time', 'bar-cell'),
          below:
            whole === null ? null : (
              <span class="mark-key">{t('average {whole}', { whole: context.format.percent(whole) })}</span>
            ),
        },
        numeric(<span class="visually-hidden rate-head">{t('On time')}</span>),
        since === undefined
          ? null
          : column(t('On time since {since}, points', { since: context.format.instantDay(since) }), 'change', 'number'),
        column(t('Completed'), 'completion', 'number'),
        column(t('Overdue'), 'overdue', 'number'),
        column(t('To grade'), 'awaiting', 'number'),
        column(t('Median grade'), 'grade', 'number'),
        column(t('Assigned'), 'assigned', 'number'),
        hasPeople ? numeric(t('People')) : null,
      ]}
      rows={lines.map((line) => (
        <Row {...props} line={line} hasPeople={hasPeople} />
      ))}
    />
  )
}

function Row(props: LinesTableProps & { line: Line; hasPeople: boolean }) {
  const { context, line, narrow, page, nameOf, whole, since, hasPeople } = props
  const { format } = context
  const name = nameOf(line)
  const { lost = name } = props
  const to = (more: Narrow) => rowsOf(context, { ...narrow(line), ...more })
  const count = (n: number, more: Narrow, what: string) => (
    <CountCell n={n} href={to(more)} what={what} format={format} />
  )
  const { value, numerator, denominator } = line.on_time_rate
  const ownPage = page(line)
  const decided = denominator === 0 ? null : to({ metric: 'on_time_rate', part: 'denominator' })
  const completed = line.completion_rate.numerator === 0 ? null : to({ fact: 'completed' })
  const graded = to({ metric: 'grade', part: 'n' })
  const base = t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) })
  return (
    <tr class={denominator < fewestToRank ? 'few-decided' : undefined}>
      <th scope="row">
        {ownPage !== null ? (
          <a href={ownPage} dir="auto">
            {name}
          </a>
        ) : line.id === '' ? (
          lost
        ) : (
          name
        )}
      </th>
      <td class="bar-cell">{value === null ? null : <Bar share={value} series="completed" mark={whole} />}</td>
      <td class="number rate">
        {orNoData(value, format.percent)}
        <small>{decided === null ? base : <a href={decided}>{base}</a>}</small>
      </td>
      {since === undefined ? null : (
        <td class="number">
          {orNoData(toChange(line), (change) => (
            <Direction change={change} format={format} />
          ))}
        </td>
      )}
      <td class="number">
        {orNoData(line.completion_rate.value, (share) =>
          completed === null ? format.percent(share) : <a href={completed}>{format.percent(share)}</a>,
        )}
      </td>
      {count(line.overdue, { fact: 'overdue' }, t('overdue, {name}', { name }))}
      {count(line.awaiting_grading, { fact: 'awaiting_grading' }, t('waiting for a grade, {name}', { name }))}
      <td class="number">
        {orNoData(line.grade.median, (median) =>
          graded === null ? (
            format.decimal(median)
          ) : (
            <a href={graded} title={`n = ${format.count(line.grade.n)}`}>
              {format.decimal(median)}
            </a>
          ),
        )}
      </td>
      {count(line.assigned, {}, t('assigned, {name}', { name }))}
      {hasPeople ? <td class="number">{format.count(line.people ?? 0)}</td> : null}
    </tr>
  )
}

function Direction({ change, format }: { change: number; format: Format }) {
  // A change that shows as 0.0 points is none.
  const direction = Math.abs(change) < 0.0005 ? 'same' : change > 0 ? 'up' : 'down'
  const text = direction === 'same' ? t('no change') : format.signed(change * 100)
  return <ChangeMark change={{ text, direction, good: direction === 'same' ? null : direction === 'up' }} />
}
