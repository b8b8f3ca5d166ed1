import { addDays, toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { agingBuckets, type Metrics } from '../../../schemas/metrics/answer.ts'
import { Figure } from '../../components/figure.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Icon } from '../../components/icon.tsx'
import { Layout } from '../../components/layout.tsx'
import { Notices } from '../../components/notices.tsx'
import { Ranking } from '../../components/ranking.tsx'
import { ShareTable } from '../../components/share-table.tsx'
import { Stamp } from '../../components/stamp.tsx'
import type { OverviewBlock } from '../../../reporting/exports/blocks.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { attention } from '../../text/attention.ts'
import { filterChips } from '../../text/filter-words.ts'
import { agingFinding, funnelFinding, rankingFinding, stageName } from '../../text/findings.ts'
import { type Format, counted } from '../../text/format.ts'
import { href, rowsHref, pageParams, withChange } from '../../url/page-url.ts'
import { CohortFigure, type DrawnChart, GradeFigure, TrendFigure } from './figures.tsx'
import { Headlines } from './headlines.tsx'

export type OverviewPageProps = {
  context: PageContext
  overview: Overview
  charts: { trend: DrawnChart; cohorts: DrawnChart; grades: DrawnChart }
  /** The scope as the API reads it: relative ranges are dates here, so that an export equals the screen. */
  rowParams: URLSearchParams
  /** Whether guides can be given here. */
  canAssign: boolean
  notices: string[]
}

export function OverviewPage({ context, overview, charts, rowParams, canAssign, notices }: OverviewPageProps) {
  const { format, params, path } = context
  const { answer } = overview
  const { metrics } = answer
  const chips = filterChips(params, overview.options, format)
  const block = (name: OverviewBlock) => href(`/overview/${name}.csv`, withChange(params, { as_of: answer.as_of }))
  const explain = (metric: keyof Metrics) => {
    const scope = withChange(rowParams, { as_of: answer.as_of, compare: null, range: null })
    return `/api/metrics/explain?metric=${metric}&${scope.toString()}`
  }
  const items = attention(overview, format)
  return (
    <Layout context={context} title="Overview" sample={overview.freshness.sample}>
      <div class="page-head">
        <div>
          <h1>Are people finishing on time?</h1>
          <div id="stamp" data-swap>
            <Stamp context={context} overview={overview} />
          </div>
        </div>
        <div id="steps" data-swap>
          <WeekSteps context={context} asOf={answer.as_of} timeZone={answer.time_zone} />
        </div>
      </div>
      <FilterBar
        context={context}
        options={overview.options}
        chips={chips}
        exports={exportLinks(rowParams, overview, block, format)}
      />
      <p class="print-only filters-printed">
        {chips.length === 0
          ? 'No filters: everything in scope.'
          : `Filters: ${chips.map((c) => `${c.label} ${c.value}`).join('; ')}.`}
      </p>
      <div id="results" data-swap>
        <Notices notices={notices} />
        {metrics.assigned.value === 0 ? (
          <p class="notices">
            No assignment matches these filters. <a href={path}>Clear them</a> to see everything.
          </p>
        ) : null}
        <Headlines context={context} overview={overview} rowParams={rowParams} />
        <section class="attention" aria-labelledby="attention-title">
          <h2 id="attention-title">Needs attention</h2>
          {items.length === 0 ? (
            <p class="quiet">Nothing: nobody is overdue, nothing falls due this week, and no grade is late.</p>
          ) : (
            <ul>
              {items.map(({ lead, detail, rows }) => {
                const link = rows === null ? null : rowsHref(rowParams, answer.as_of, rows)
                // People who are to act; a guide for the learner does not help a late reviewer.
                const assign =
                  canAssign && link !== null && rows?.fact !== 'reviewer_overdue' && rows?.fact !== 'awaiting_grading'
                    ? toAssignHref(link)
                    : null
                return (
                  <li>
                    <p>
                      <strong>{lead}</strong>
                      {detail}
                    </p>
                    {link === null ? null : (
                      <span class="row-links">
                        {assign === null ? null : (
                          <a href={assign} class="csv">
                            Assign a guide<span class="visually-hidden">: {lead}</span>
                          </a>
                        )}
                        <a href={link} download class="csv">
                          Rows<span class="visually-hidden">: {lead}</span>
                          <Icon name="arrow" />
                        </a>
                      </span>
                    )}
                  </li>
                )
              })}
            </ul>
          )}
        </section>
        <TrendFigure
          context={context}
          overview={overview}
          drawn={charts.trend}
          csv={block('trend')}
          sql={explain('trend')}
        />
        <div class="pair">
          <CohortFigure
            context={context}
            overview={overview}
            drawn={charts.cohorts}
            csv={block('due-cohorts')}
            sql={explain('on_time_rate')}
          />
          <Figure
            id="aging"
            title="How late are the late ones?"
            finding={agingFinding(metrics.aging, format)}
            defines={['aging', 'overdue']}
            csv={block('aging')}
            sql={explain('aging')}
          >
            <ShareTable
              head="Days overdue"
              whole={metrics.overdue.value}
              wholeName="Share"
              format={format}
              rows={metrics.aging.map(({ bucket, count }) => {
                const link = count === 0 ? null : rowsHref(rowParams, answer.as_of, { aging: bucket })
                const name = bucket.replace('-', '–')
                return {
                  name:
                    link === null ? (
                      name
                    ) : (
                      <a href={link} download>
                        {name}
                      </a>
                    ),
                  count,
                  series: `age-${agingBuckets.indexOf(bucket)}`,
                }
              })}
            />
          </Figure>
        </div>
        <div class="pair">
          <Figure
            id="funnel"
            title="Where do people get stuck?"
            finding={funnelFinding(metrics.funnel, format)}
            defines={['funnel']}
            csv={block('funnel')}
            sql={explain('funnel')}
          >
            <ShareTable
              head="Stage"
              whole={metrics.funnel[0]?.count ?? 0}
              wholeName="Of assigned"
              format={format}
              noteHead="Of step before"
              rows={metrics.funnel.map(({ stage, count }, i) => {
                const before = metrics.funnel[i - 1]?.count
                const note = before === undefined || before === 0 ? '' : format.percent(count / before)
                return { name: stageName(stage), count, series: 'completed', note }
              })}
            />
          </Figure>
          <GradeFigure
            context={context}
            overview={overview}
            drawn={charts.grades}
            csv={block('grades')}
            sql={explain('grade')}
          />
        </div>
        <Figure
          id="by-team"
          className="wide"
          title="Which teams need help?"
          finding={rankingFinding(overview.by_team, 'team', format)}
          defines={['on_time_rate', 'completion_rate']}
          csv={block('by-team')}
        >
          <Ranking
            context={context}
            rows={overview.by_team}
            noun="team"
            csv={block('by-team')}
            whole={metrics.on_time_rate.value}
          />
        </Figure>
        <Figure
          id="by-challenge"
          className="wide"
          title="Which challenges are hard to finish in time?"
          finding={rankingFinding(overview.by_challenge, 'challenge', format)}
          defines={['on_time_rate', 'completion_rate']}
          csv={block('by-challenge')}
        >
          <Ranking
            context={context}
            rows={overview.by_challenge}
            noun="challenge"
            csv={block('by-challenge')}
            whole={metrics.on_time_rate.value}
          />
        </Figure>
      </div>
    </Layout>
  )
}

/** A week back and forth in time: the whole page as of then. */
function WeekSteps({ context, asOf, timeZone }: { context: PageContext; asOf: string; timeZone: string }) {
  const { format, params, path } = context
  const today = toLocalDate(timeZone, format.now)
  const day = toLocalDate(timeZone, Date.parse(asOf))
  const to = (target: string) => href(path, withChange(params, { as_of: target >= today ? null : target }))
  return (
    <nav class="steps" aria-label="Moment in time">
      <a href={to(addDays(day, -7))} data-key="[" class="pill">
        <Icon name="back" />A week earlier
      </a>
      {day >= today ? null : (
        <>
          <a href={to(addDays(day, 7))} data-key="]" class="pill">
            A week later
            <Icon name="forward" />
          </a>
          <a href={to(today)} class="pill">
            Now
          </a>
        </>
      )}
    </nav>
  )
}

function exportLinks(
  rowParams: URLSearchParams,
  overview: Overview,
  block: (name: OverviewBlock) => string,
  format: Format,
) {
  const { as_of: asOf } = overview.answer
  const numbers = withChange(rowParams, { as_of: asOf })
  return [
    {
      name: `${counted(format, overview.answer.metrics.assigned.value, 'assignment')} as CSV`,
      href: rowsHref(rowParams, asOf, {}, 'csv') ?? '',
    },
    { name: 'Assignments as JSON', href: rowsHref(rowParams, asOf, {}, 'json') ?? '' },
    { name: 'All numbers as JSON', href: href('/api/metrics', numbers) },
    { name: 'Trend as CSV', href: block('trend') },
    { name: 'Due weeks as CSV', href: block('due-cohorts') },
    { name: 'Days overdue as CSV', href: block('aging') },
    { name: 'Funnel as CSV', href: block('funnel') },
    { name: 'Grades as CSV', href: block('grades') },
    { name: 'Teams as CSV', href: block('by-team') },
    { name: 'Challenges as CSV', href: block('by-challenge') },
  ]
}

/** The people of the rows, as of now: nobody gets a guide for the state at an earlier moment. */
function toAssignHref(rows: string): string {
  const params = pageParams(new URLSearchParams(rows.slice(rows.indexOf('?'))))
  return href('/assign', withChange(params, { as_of: null }))
}
