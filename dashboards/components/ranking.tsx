import type { Child } from 'hono/jsx'
import type { Overview, RankingRow } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import { Figure } from './figure.tsx'
import { fewestToRank, rank, rankingFinding, rowName } from './figures/findings.ts'
import { objectHref, objectPaths, withoutTeamHref } from './group-url.ts'
import { href, withChange, type Narrow } from '../scope/page-url.ts'
import { canOpen } from './access.tsx'
import { allFilters } from '../scope/follow.ts'
import { Bar } from './bar.tsx'
import { Count } from './count.tsx'
import { t, rich } from '../../language/translate.ts'
import { numeric, TableHead, orNoData } from './listing.tsx'
import { UnknownChallenge } from './people.tsx'

type RankingProps = {
  context: PageContext
  overview: Pick<Overview, 'by_team' | 'by_challenge' | 'answer'>
  noun: 'team' | 'challenge'
  /** The question. */
  title: string
  csv: string
  /** The filters of a link to the page of a line. Default: those of the page. */
  filters?: URLSearchParams | undefined
}

const mostShown = 5

/**
 * The table is the chart: lowest on-time rate first, each against the whole. Groups with too few assignments stand grey
 * below, unranked.
 */
export function Ranking(props: RankingProps) {
  const { context, overview, noun, title, csv } = props
  const rows = overview[`by_${noun}`]
  return (
    <Figure
      id={`by-${noun}`}
      className="wide"
      title={title}
      finding={rankingFinding(rows, noun, context.format)}
      defines={['on_time_rate', 'completion_rate']}
      csv={csv}
      empty={
        rows.length > 0
          ? null
          : noun === 'team'
            ? t('Nothing in this scope has a team.')
            : t('Nothing in this scope has a challenge.')
      }
    >
      <Lines {...props} rows={rows} whole={overview.answer.metrics.on_time_rate.value} />
    </Figure>
  )
}

type LinesProps = Omit<RankingProps, 'overview' | 'title'> & { rows: RankingRow[]; whole: number | null }

function Lines({ context, rows, noun, csv, whole, filters }: LinesProps) {
  const { ranked, few } = rank(rows)
  const shown = ranked.slice(0, mostShown)
  const shownFew = few.slice(0, Math.max(0, mostShown - shown.length))
  const hidden = rows.length - shown.length - shownFew.length
  const n = rows.filter(({ id }) => id !== '').length
  const toRow = (row: RankingRow) => (
    <Row context={context} row={row} noun={noun} whole={whole} filters={filters} />
  )
  return (
    <>
      <RankedTable
        label={noun === 'team' ? t('Ranking by team') : t('Ranking by challenge')}
        name={noun === 'team' ? t('Team') : t('Challenge')}
        measure={t('On time')}
        average={whole === null ? undefined : t('average {whole}', { whole: context.format.percent(whole) })}
        numbers={[t('Completed'), t('Overdue')]}
        optional={[t('To grade'), t('Assigned')]}
        ranked={shown.map(toRow)}
        few={shownFew.map(toRow)}
        fewWords={t('Fewer than {n} due or done: not ranked', { n: fewestToRank })}
      />
      {hidden > 0 ? (
        <p class="more said">
          <a
            href={
              canOpen(context, objectPaths[noun])
                ? href(
                    objectPaths[noun],
                    withChange(filters ?? allFilters(context), { compare: null, period: null }),
                  )
                : csv
            }
          >
            {noun === 'team' ? t('Show all {n} teams', { n }) : t('Show all {n} challenges', { n })}
          </a>
        </p>
      ) : null}
    </>
  )
}

type RankedTableProps = {
  label: string
  /** Heads: of the names, of the bar with the share beside it, and of numbers. */
  name: string
  measure: string
  /** The meaning of the mark in the bars. */
  average?: string | undefined
  numbers: string[]
  /** Numbers that are shown where there is room. */
  optional: string[]
  ranked: Child[]
  few: Child[]
  /** Why these are not ranked. */
  fewWords: string
}

export function RankedTable(props: RankedTableProps) {
  const { label, name, measure, average, numbers, optional, ranked, few, fewWords } = props
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={label}>
      <table class="ranking">
        <TableHead
          columns={[
            name,
            {
              name: measure,
              className: 'bar-cell',
              below: average === undefined ? null : <span class="mark-key">{average}</span>,
            },
            // Where there is room for bars their head is enough to be seen; where there is none, this one is.
            numeric(<span class="visually-hidden rate-head">{measure}</span>),
            ...numbers.map((head) => numeric(head)),
            ...optional.map((head) => numeric(head, 'optional')),
          ]}
        />
        <tbody>{ranked}</tbody>
        {few.length === 0 ? null : (
          <tbody class="few">
            <tr>
              <th colspan={3 + numbers.length + optional.length} scope="rowgroup">
                {fewWords}
              </th>
            </tr>
            {few}
          </tbody>
        )}
      </table>
    </div>
  )
}

type RowProps = Pick<LinesProps, 'context' | 'noun' | 'whole' | 'filters'> & { row: RankingRow }

function Row({ context, row, noun, whole, filters }: RowProps) {
  const { format } = context
  const { value, numerator, denominator } = row.on_time_rate
  const name = rowName(row, noun)
  const count = (n: number, narrow: Narrow = {}, shown?: string) => (
    <Count context={context} n={n} narrow={{ [noun]: row.id, ...narrow }}>
      {shown}
    </Count>
  )
  const link = toLink(context, noun, row.id, filters ?? allFilters(context))
  return (
    <tr>
      <th scope="row">
        {link !== null ? (
          <a href={link} dir="auto">
            {name}
          </a>
        ) : noun === 'challenge' ? (
          <UnknownChallenge />
        ) : (
          name
        )}
      </th>
      <td class="bar-cell">
        {value === null ? null : <Bar share={value} series="completed" mark={whole} />}
      </td>
      <td class="number rate">
        {orNoData(value, format.percent)}
        <small>
          {rich('{some} of {all}', {
            some: count(numerator, { metric: 'on_time_rate', part: 'numerator' }),
            all: count(denominator, { metric: 'on_time_rate', part: 'denominator' }),
          })}
        </small>
      </td>
      <td class="number">
        {orNoData(row.completion_rate.value, (share) =>
          count(row.completion_rate.numerator, { fact: 'completed' }, format.percent(share)),
        )}
      </td>
      <td class={`number ${row.overdue === 0 ? 'zero' : ''}`}>{count(row.overdue, { fact: 'overdue' })}</td>
      <td class={`number optional ${row.awaiting_grading === 0 ? 'zero' : ''}`}>
        {count(row.awaiting_grading, { fact: 'awaiting_grading' })}
      </td>
      <td class="number optional">{count(row.assigned)}</td>
    </tr>
  )
}

/** To the page of the object; for those who have none, and of no team, to the Home page of it. `null`: there is none. */
function toLink(
  context: PageContext,
  noun: 'team' | 'challenge',
  id: string,
  params: URLSearchParams,
): string | null {
  const hasPage = canOpen(context, `${objectPaths[noun]}/:id`)
  if (id === '') return noun === 'team' && hasPage ? withoutTeamHref('/', params) : null
  return hasPage ? objectHref(noun, id, params) : href('/', withChange(params, { [noun]: id }))
}
