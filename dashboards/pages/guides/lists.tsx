import { type Message, t, rich } from '../../../language/translate.ts'
import type { Child } from 'hono/jsx'
import type { GuidePart, GuideRowPage } from '../../../reporting/statements/guides.ts'
import type { PageContext } from '../../page-context.ts'
import { Listing, orNoData } from '../../components/listing.tsx'
import { PageLinks } from '../../components/page-links.tsx'
import { PersonLink } from '../../components/people.tsx'
import { canOpen } from '../../components/access.tsx'
import { counted } from '../../../language/format.ts'
import { allOf, guideRowsHref, guidesFileHref, guidesHref, type GuideFilterChange } from './links.ts'
import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { Bar } from '../../components/bar.tsx'
import { RankedTable } from '../../components/ranking.tsx'
import { Behind } from '../../components/behind.tsx'
import { Figure, FigureFiles } from '../../components/figure.tsx'
import { fewestToRank } from '../../components/figures/findings.ts'
import { guidesFinding, rankByNeed, type GuideLine } from './words.ts'

/** Which rows a reader asked for. Pages count from 1. */
export type GuideRowState = { part: GuidePart; page: number }

export const guideRowsPerPage = 50

export const partNames: Record<GuidePart, Message> = {
  assigned: 'assigned',
  completed: 'completed',
  overdue: 'overdue',
  on_time: 'completed on time',
  decided: 'completed or overdue',
}

/** A number that leads to its rows. Zero has none. */
export function GuideCount({ n, href, children }: { n: number; href: string | null; children?: Child }) {
  if (n === 0 || href === null) return <>{children}</>
  return (
    <a class="count" href={href} data-count={n}>
      {children}
      <span class="visually-hidden">{t(': rows')}</span>
    </a>
  )
}

type GuideRowsProps = { context: PageContext; state: GuideRowState; page: GuideRowPage }

/** The guide assignments that a number counts, open ones due longest ago first. */
export function GuideRows({ context, state: { part, page: number }, page: { total, rows } }: GuideRowsProps) {
  const { format, params } = context
  const title = `${counted(format, total, 'guide assignment')}: ${t(partNames[part])}`
  const before = (number - 1) * guideRowsPerPage
  const hasLearners = canOpen(context, '/learners/:id')
  return (
    <section class="figure wide" id="rows" aria-labelledby="rows-title">
      <h2 id="rows-title" data-total={total}>
        {title}
      </h2>
      {rows.length === 0 ? (
        <p class="empty">{t('None.')}</p>
      ) : (
        <Listing
          label={t('Guide assignments')}
          className="rows"
          columns={[t('Person'), t('Guide'), t('Status'), t('Due'), t('Completed')]}
          cells={rows.map((row) => {
            const person = row.user_name ?? row.user_id ?? t('Unknown person')
            return [
              hasLearners ? <PersonLink context={context} id={row.user_id} name={row.user_name} /> : person,
              row.guide ?? row.guide_id,
              row.completed ? t('Completed') : row.overdue ? t('Overdue') : t('Open'),
              row.due_date === null ? t('no due date') : format.dueDay(row.due_date),
              row.completed_at !== null
                ? format.instantDay(row.completed_at)
                : row.completed
                  ? t('day not known')
                  : '',
            ]
          })}
        />
      )}
      <PageLinks
        label={t('Pages of guide assignments')}
        previous={number === 1 ? null : guideRowsHref(allOf(context), part, {}, number - 1)}
        next={before + rows.length >= total ? null : guideRowsHref(allOf(context), part, {}, number + 1)}
      />
      <div class="figure-foot">
        <Behind icon="more" summary={t('More')} of={t('of “{title}”', { title })}>
          <p class="figure-files">
            <FigureFiles csv={guidesFileHref(params, 'rows')} title={title} />
          </p>
        </Behind>
      </div>
    </section>
  )
}

type GuideTableProps = {
  context: PageContext
  title: string
  noun: 'guide' | 'team'
  rows: GuideLine[]
  csv: string
}

/** The table is the chart: most overdue first, and a bar of the share that is completed. */
export function GuideTable({ context, title, noun, rows, csv }: GuideTableProps) {
  const { ranked, few } = rankByNeed(rows)
  const { completion_rate, on_time_rate, overdue } = guideMetricDefinitions
  const toRow = (line: GuideLine) => <Line context={context} noun={noun} line={line} />
  return (
    <Figure
      id={`by-${noun}`}
      className="wide"
      title={title}
      finding={guidesFinding(rows, noun, context.format)}
      defines={[]}
      also={[overdue, completion_rate, on_time_rate]}
      csv={csv}
      empty={rows.length === 0 ? t('Nothing in this scope.') : null}
    >
      <RankedTable
        label={title}
        name={noun === 'team' ? t('Team') : t('Guide')}
        measure={t('Completed')}
        numbers={[t('On time'), t('Overdue')]}
        optional={[t('Assigned')]}
        ranked={ranked.map(toRow)}
        few={few.map(toRow)}
        fewWords={t('Fewer than {fewestToRank} assigned: not ranked', { fewestToRank })}
      />
    </Figure>
  )
}

function Line({ context, noun, line }: { context: PageContext; noun: 'guide' | 'team'; line: GuideLine }) {
  const { format, params } = context
  const { id, name, metrics } = line
  const { completion_rate, on_time_rate, overdue, assigned } = metrics
  // Somebody in two teams counts in both, so another team than those chosen has more rows than it counts here.
  const filter = params.getAll(noun)
  const isNarrowed = filter.length === 0 || (id !== null && filter.includes(id))
  const only: GuideFilterChange = id === null ? { team: null, without: 'team' } : { [noun]: id }
  const count = (part: GuidePart, n: number, shown = format.count(n)) => (
    <GuideCount n={n} href={isNarrowed ? guideRowsHref(allOf(context), part, only) : null}>
      {shown}
    </GuideCount>
  )
  return (
    <tr>
      <th scope="row">
        <a href={guidesHref(allOf(context), only)} dir="auto">
          {name}
        </a>
      </th>
      <td class="bar-cell">
        {completion_rate.value === null ? null : <Bar share={completion_rate.value} series="completed" />}
      </td>
      <td class="number rate">
        {orNoData(completion_rate.value, format.percent)}
        <small>
          {rich('{some} of {all}', {
            some: count('completed', completion_rate.numerator),
            all: count('assigned', completion_rate.denominator),
          })}
        </small>
      </td>
      <td class="number">
        {orNoData(on_time_rate.value, (share) =>
          count('on_time', on_time_rate.numerator, format.percent(share)),
        )}
      </td>
      <td class={`number ${overdue.value === 0 ? 'zero' : ''}`}>{count('overdue', overdue.value)}</td>
      <td class="number optional">{count('assigned', assigned.value)}</td>
    </tr>
  )
}
