import { Icon } from '../../components/icon.tsx'
import { NoAssignments } from '../../components/messages.tsx'
import { mayRemind, remindHref } from '../../components/remind.tsx'
import { Ranking } from '../../components/ranking.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import type { OverviewBlock } from '../../../reporting/exports/overview-tables.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { comparisonWords } from '../../components/figures/comparisons.ts'
import { attention, type AttentionItem } from './attention.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { counted } from '../../../language/format.ts'
import { href, rowsFileHref, rowsHref, pageParams, withChange } from '../../scope/page-url.ts'
import { FunnelFigure } from '../../components/figures/share-figures.tsx'
import { CohortFigure, type DrawnChart, TrendFigure } from '../../components/figures/figures.tsx'
import { Headlines } from '../../components/figures/headlines.tsx'
import { ChangesStrip, type ChangesStripProps } from './changes-strip.tsx'
import { type Message, t } from '../../../language/translate.ts'

type OverviewPageProps = {
  context: PageContext
  overview: Overview
  charts: { trend: DrawnChart; cohorts: DrawnChart; grades: DrawnChart }
  /** The scope as the API reads it: relative ranges are dates here, so that an export equals the screen. */
  rowParams: URLSearchParams
  /** Whether guides can be given here. */
  canAssign: boolean
  /** The days of "due soon", as asked. */
  dueSoonDays: number
  notices: string[]
  /** The changes since Monday; `null`: the page does not say. */
  changes: ChangesStripProps | null
}

export function OverviewPage(props: OverviewPageProps) {
  const { context, overview, notices, changes } = props
  const { format, params } = context
  const { answer } = overview
  const chips = filterChips(params, overview.options, format)
  const isEmpty = answer.metrics.assigned.value === 0
  // A file is of the moment of the page.
  const pinned = withChange(params, { as_of: answer.as_of })
  const block = (name: OverviewBlock) => href(`/overview/${name}.csv`, pinned)
  return (
    <ScopePage
      context={context}
      title={t('Home')}
      question={t('Are people finishing on time?')}
      frame={overview}
      comparable
      exports={exportLinks({ ...props, block })}
      strip={changes === null || isEmpty ? null : <ChangesStrip {...changes} />}
      notices={notices}
    >
      {isEmpty ? (
        <NoAssignments context={context} hasFilters={chips.length > 0} />
      ) : (
        <Results {...props} block={block} />
      )}
    </ScopePage>
  )
}

type ResultsProps = OverviewPageProps & {
  /** Address of the file of a block. */
  block: (name: OverviewBlock) => string
}

function Results({ block, ...props }: ResultsProps) {
  const { context, overview, charts, rowParams } = props
  const { format } = context
  const figure = { context, overview, block }
  const compared = comparisonWords(overview, format)
  return (
    <>
      {compared === null ? null : <p class="compared">{compared.sentence}</p>}
      <Headlines context={context} overview={overview} rowParams={rowParams} />
      <Attention {...props} />
      <TrendFigure {...figure} drawn={charts.trend} />
      <div class="pair">
        <CohortFigure {...figure} drawn={charts.cohorts} />
        <FunnelFigure {...figure} />
      </div>
      <Ranking
        context={context}
        overview={overview}
        noun="team"
        title={t('Which teams need help?')}
        csv={block('by-team')}
      />
      <Ranking
        context={context}
        overview={overview}
        noun="challenge"
        title={t('Which challenges are hard to finish in time?')}
        csv={block('by-challenge')}
      />
    </>
  )
}

const mostItems = 5

/** The first questions of a training manager, with the ways to act. */
function Attention({ context, overview, rowParams, canAssign, dueSoonDays: days }: OverviewPageProps) {
  const { params } = context
  const { answer } = overview
  const items = attention(overview, context, days).slice(0, mostItems)
  return (
    <section class="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">{t('Needs attention')}</h2>
      {items.length === 0 ? (
        <p class="quiet">
          {t(
            'Nothing: nobody is overdue, nothing falls due {days, plural, =0 {on the same day} one {within # day} other {within # days}}, and no grade is overdue.',
            { days },
          )}
        </p>
      ) : (
        <ul>
          {items.map(({ lead, detail, rows, page, count }) => {
            const list = rows === null ? null : rowsHref(rowParams, answer.as_of, rows)
            const reminds = page?.at === 'people' && mayRemind(context)
            // People who are to act; a guide for the learner does not help a late reviewer.
            const assigns = canAssign && rows?.fact !== 'reviewer_overdue' && rows?.fact !== 'awaiting_grading'
            const link = (name: string, to: string, n?: number) => (
              <a href={to} class="csv" data-count={n}>
                {name}
                <span class="visually-hidden">: {lead}</span>
                {n === undefined ? null : <Icon name="arrow" />}
              </a>
            )
            return (
              <li>
                <p>
                  <strong>{lead}</strong>
                  {detail}
                </p>
                {list === null ? null : (
                  <span class="row-links">
                    {reminds ? link(t('Remind'), remindHref(context, page.narrow)) : null}
                    {page === null ? null : link(page.name, toActHref(page, params))}
                    {link(t('Show list'), list, count)}
                    {assigns ? link(t('Assign a guide'), toAssignHref(list)) : null}
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function toActHref({ path, narrow, at }: NonNullable<AttentionItem['page']>, params: URLSearchParams): string {
  const query = withChange(params, { ...narrow, compare: null })
  return `${href(path, query)}#${at}`
}

function exportLinks({ context, rowParams, overview, block }: ResultsProps) {
  const { as_of: asOf, metrics } = overview.answer
  const toRows = (format: 'csv' | 'json') => rowsFileHref(rowParams, asOf, format)
  const rows = [
    { name: counted(context.format, metrics.assigned.value, 'assignment'), href: toRows('csv') },
    { name: t('Assignments'), href: toRows('json') },
  ]
  return [
    ...rows,
    { name: t('All numbers'), href: href('/api/metrics', withChange(rowParams, { as_of: asOf })) },
    ...Object.entries(files).map(([name, words]) => ({ name: t(words), href: block(name as OverviewBlock) })),
  ]
}

const files: Partial<Record<OverviewBlock, Message>> = {
  trend: 'Trend',
  'due-cohorts': 'Due weeks',
  aging: 'Days overdue',
  funnel: 'Funnel',
  grades: 'Grades',
  'by-team': 'Teams',
  'by-challenge': 'Challenges',
}

/** The people of the rows. The page says that they are those of now, and of which moment the rows are. */
function toAssignHref(rows: string): string {
  const params = pageParams(new URLSearchParams(rows.slice(rows.indexOf('?'))))
  return href('/assign', params)
}
