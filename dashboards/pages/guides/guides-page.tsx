import { guideMetricDefinitions, type GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { Icon } from '../../components/icon.tsx'
import { Layout } from '../../components/layout.tsx'
import { Notices } from '../../components/notices.tsx'
import type { PageContext } from '../../page-context.ts'
import type { GuidesAnswer } from '../../../reporting/queries/guides.ts'
import { exclusionSentence } from '../../text/exclusions.ts'
import { counted } from '../../text/format.ts'
import { guideFilterKeys, guidesHref } from '../../url/guides-url.ts'
import { GuideTable } from './guide-table.tsx'

type GuidesPageProps = { context: PageContext; guides: GuidesAnswer; notices: string[] }

/** Progress with the assigned guides: as of now, as fresh as the last pull. */
export function GuidesPage({ context, guides, notices }: GuidesPageProps) {
  const { metrics, by_guide, by_team, sample } = guides
  const isEverPulled = guides.pulled.assignments !== null || guides.pulled.changes !== null
  return (
    <Layout context={context} title="Guides" sample={sample}>
      <div class="page-head">
        <div>
          <h1>Are people reading what they were given?</h1>
          <Stamp context={context} guides={guides} />
        </div>
      </div>
      <Notices notices={notices} />
      {metrics.assigned.value === 0 && !isEverPulled ? (
        <p class="empty">
          Guides are asked of the platform. Set <code>PLATFORM_URL</code> and <code>PLATFORM_TOKEN</code>; the{' '}
          <a href="/setup">Set-up page</a> then shows how that goes.
        </p>
      ) : (
        <div id="results">
          <Chips context={context} guides={guides} />
          <div class="headlines">
            <Headlines context={context} metrics={metrics} />
          </div>
          <GuideTable context={context} title="By guide" noun="guide" rows={by_guide.map(toGuideRow)} />
          <GuideTable context={context} title="By team" noun="team" rows={by_team.map(toTeamRow)} />
        </div>
      )}
    </Layout>
  )
}

function toGuideRow({ guide_id, guide, ...metrics }: GuidesAnswer['by_guide'][number]) {
  return { id: guide_id, name: guide ?? guide_id, metrics }
}

function toTeamRow({ team_id, team, ...metrics }: GuidesAnswer['by_team'][number]) {
  return { id: team_id, name: team ?? team_id ?? 'No team', metrics }
}

function Stamp({ context, guides }: { context: PageContext; guides: GuidesAnswer }) {
  const { format } = context
  const { pulled, unseen, as_of, due_zone } = guides
  const last = [pulled.assignments, pulled.changes]
    .filter((at) => at !== null)
    .sort()
    .at(-1)
  return (
    <p class="stamp">
      <span>
        As of <time datetime={as_of}>{format.instant(as_of)}</time> {format.timeZone}
        {due_zone === format.timeZone ? '' : `, due days in ${due_zone}`}
      </span>
      <span>{last === undefined ? 'Not asked of the platform yet' : `Asked of the platform ${format.ago(last)}`}</span>
      {unseen > 0 ? <span>{counted(format, unseen, 'assignment')} not seen there in the last full pull</span> : null}
    </p>
  )
}

/** The filters in force, each with a link that removes it. */
function Chips({ context, guides }: { context: PageContext; guides: GuidesAnswer }) {
  const { params } = context
  const names = new Map<string, string | null>([
    ...guides.by_guide.map((row): [string, string | null] => [`guide ${row.guide_id}`, row.guide]),
    ...guides.by_team.map((row): [string, string | null] => [`team ${row.team_id}`, row.team]),
  ])
  const given = guideFilterKeys.flatMap((key) =>
    params
      .getAll(key)
      .filter((value) => value !== '')
      .map((value) => ({ key, value })),
  )
  if (given.length === 0) return null
  return (
    <p class="quiet">
      Only {given.map(({ key, value }) => `${key} ${names.get(`${key} ${value}`) ?? value}`).join(', ')}.{' '}
      <a href={guidesHref(params, { guide: null, team: null, manager: null, user: null })}>Show all</a>
    </p>
  )
}

function Headlines({ context: { format }, metrics }: { context: PageContext; metrics: GuideMetrics }) {
  const { completion_rate, on_time_rate, overdue, assigned, completed } = metrics
  const share = (value: number | null) => (value === null ? null : format.percent(value))
  const of = ({ numerator, denominator }: { numerator: number; denominator: number }) =>
    `${format.count(numerator)} of ${format.count(denominator)}`
  return (
    <>
      <Headline metric="completion_rate" value={share(completion_rate.value)} of={of(completion_rate)} />
      <Headline
        metric="on_time_rate"
        value={share(on_time_rate.value)}
        of={of(on_time_rate)}
        note={exclusionSentence(on_time_rate, format)}
      />
      <Headline
        metric="overdue"
        value={format.count(overdue.value)}
        of={`of ${format.count(assigned.value - completed.value)} not completed`}
      />
      <Headline metric="completed" value={format.count(completed.value)} of={`of ${format.count(assigned.value)}`} />
      <Headline metric="assigned" value={format.count(assigned.value)} of="guide assignments" />
    </>
  )
}

type HeadlineProps = { metric: keyof GuideMetrics; value: string | null; of: string; note?: string }

function Headline({ metric, value, of, note }: HeadlineProps) {
  const { title, definition } = guideMetricDefinitions[metric]
  return (
    <section class="headline" aria-labelledby={`headline-${metric}`}>
      <h2 id={`headline-${metric}`}>{title}</h2>
      <p class={`headline-value ${value === null ? 'no-data' : ''}`}>{value ?? 'No data'}</p>
      <p class="headline-of">{of}</p>
      <div class="headline-foot">
        <details class="behind">
          <summary>
            <Icon name="chevron" />
            Details<span class="visually-hidden"> of {title}</span>
          </summary>
          <div class="headline-notes">
            {note === undefined ? null : <p>{note}</p>}
            <p>{definition}</p>
          </div>
        </details>
      </div>
    </section>
  )
}
