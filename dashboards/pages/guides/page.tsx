import { isolateText, lookUp, type Message, rich, t } from '../../../language/translate.ts'
import { guideMetricDefinitions, type GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { Headline } from '../../components/figures/headline.tsx'
import { toAttribute } from '../../../reporting/scope/filters.ts'
import {
  AttributePickers,
  Chips,
  drawnAttributes,
  FilterSheet,
  FiltersEnd,
  LeaversSwitch,
  Picker,
} from '../../components/filter-bar.tsx'
import { Hidden } from '../../components/field.tsx'
import { Layout } from '../../components/layout.tsx'
import { canOpen } from '../../components/access.tsx'
import type { Option } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import type { GuidesPageAnswer } from '../../../reporting/queries/guides.ts'
import type { GuidesAnswer } from '../../../schemas/answers/guides.ts'
import type { Leaders } from '../../../reporting/statements/groups.ts'
import { exclusionSentence } from '../../scope/part-words.ts'
import { counted } from '../../../language/format.ts'
import { guidesLead } from './words.ts'
import type { GuidePart, GuideRowPage } from '../../../reporting/statements/guides.ts'
import { allOf, guideFilterKeys, guideRowsHref, guidesFileHref, guidesHref } from './links.ts'
import { GuideCount, GuideRows, type GuideRowState, GuideTable } from './lists.tsx'
import { Notices } from '../../components/messages.tsx'
import { AsOf } from '../../components/stamp.tsx'

type GuidesPageProps = {
  context: PageContext
  guides: GuidesPageAnswer
  leaders: Leaders
  /** Names for challenges that wait as filters. */
  challenges: Option[]
  /** `null`: no number was followed. */
  rows: { state: GuideRowState; page: GuideRowPage } | null
  notices: string[]
}

/** Progress with the assigned guides: as of now, as fresh as the last pull. */
export function GuidesPage({ context, guides, leaders, challenges, rows, notices }: GuidesPageProps) {
  const { metrics, by_guide, by_team, sample } = guides
  const isEverPulled = guides.pulled.assignments !== null || guides.pulled.changes !== null
  return (
    <Layout context={context} title={t('Guides')} sample={sample}>
      <div class="page-head">
        <div>
          <h1>{t('Are assigned guides completed?')}</h1>
          <div id="stamp" data-swap>
            <Stamp context={context} guides={guides} />
          </div>
        </div>
      </div>
      <GuideFilters context={context} guides={guides} leaders={leaders} />
      <Chips context={context} options={{ ...guides.options, challenges }} chips={[]} />
      <div id="results" data-swap>
        <Notices notices={notices} />
        {metrics.assigned.value === 0 && !isEverPulled ? (
          <p class="empty">
            {rich(
              'Guides are asked of the platform. Set <code>PLATFORM_URL</code> and <code>PLATFORM_TOKEN</code>; the <a>Setup page</a> then shows how that goes.',
              {
                code: (text) => <code>{text}</code>,
                a: (text) => (canOpen(context, '/setup') ? <a href="/setup">{text}</a> : <span>{text}</span>),
              },
            )}
          </p>
        ) : (
          <>
            <p class="lead">{guidesLead(metrics)}</p>
            <Only context={context} guides={guides} />
            <Headlines context={context} metrics={metrics} />
            {rows === null ? null : <GuideRows context={context} {...rows} />}
            <GuideTable
              context={context}
              title={t('Which guides need a reminder?')}
              noun="guide"
              rows={by_guide.map(toGuideRow)}
              csv={guidesFileHref(context.params, 'by-guide')}
            />
            <GuideTable
              context={context}
              title={t('Which teams need help?')}
              noun="team"
              rows={by_team.map(toTeamRow)}
              csv={guidesFileHref(context.params, 'by-team')}
            />
          </>
        )}
      </div>
    </Layout>
  )
}

function toGuideRow({ guide_id, guide, ...metrics }: GuidesAnswer['by_guide'][number]) {
  return { id: guide_id, name: guide ?? guide_id, metrics }
}

function toTeamRow({ team_id, team, ...metrics }: GuidesAnswer['by_team'][number]) {
  return { id: team_id, name: team ?? team_id ?? t('No team'), metrics }
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
      <AsOf format={format} answer={{ as_of, time_zone: format.timeZone, due_zone }} />
      <span>
        {last === undefined
          ? t('Not updated from the platform yet')
          : t('Updated from the platform {last}', { last: format.ago(last) })}
      </span>
      {unseen > 0 ? (
        <span>
          {t('{assignments} not seen there in the last full pull', {
            assignments: counted(format, unseen, 'assignment'),
          })}
        </span>
      ) : null}
    </p>
  )
}

type GuideFiltersProps = { context: PageContext; guides: GuidesPageAnswer; leaders: Leaders }

/** Filters as a plain form, as on other pages; a person comes from a link and stays in force. */
function GuideFilters({ context, guides, leaders: { listed, of } }: GuideFiltersProps) {
  const { params, idle = [] } = context
  // Another scope begins at its first rows.
  const managers = params.getAll('manager')
  const hasManagers = listed.length > 0 || managers.length > 0
  const drawn = [
    'team',
    'guide',
    'include_leavers',
    'page',
    ...(hasManagers ? ['manager'] : []),
    ...drawnAttributes(guides.options),
  ]
  const carried = [...params].filter(([key, value]) => value !== '' && !drawn.includes(key))
  return (
    <form
      class="filters"
      method="get"
      action="/guides"
      data-filters
      autocomplete="off"
      aria-label={t('Filters')}
    >
      <Hidden fields={[...carried, ...idle]} />
      <FilterSheet n={0}>
        <Picker
          name="team"
          all={t('All teams')}
          options={guides.options.teams}
          chosen={params.getAll('team')}
        />
        <Picker
          name="guide"
          all={t('All guides')}
          options={guides.options.guides}
          chosen={params.getAll('guide')}
        />
        {hasManagers ? (
          <Picker
            name="manager"
            all={t('All managers')}
            options={toManagerOptions(listed, guides.options.people, managers)}
            chosen={managers}
            note={
              of > listed.length
                ? t('The {n} managers with the most direct reports.', {
                    n: listed.length,
                  })
                : undefined
            }
          />
        ) : null}
        <AttributePickers options={guides.options} params={params} />
        <LeaversSwitch params={params} />
      </FilterSheet>
      <FiltersEnd context={context} />
    </form>
  )
}

/** A manager from a link may lead too few to be listed. */
function toManagerOptions(listed: Option[], named: Option[], chosen: readonly string[]): Option[] {
  const strangers = named.filter(
    ({ id }) => chosen.includes(id) && !listed.some((option) => option.id === id),
  )
  return [...strangers, ...listed]
}

/** The filters in force, and a link that removes them. */
function Only({ context, guides: { options } }: { context: PageContext; guides: GuidesPageAnswer }) {
  const { params } = context
  const listOf = { guide: options.guides, team: options.teams, manager: options.people, user: options.people }
  const words = {
    guide: 'guide',
    team: 'team',
    manager: 'reports of',
    user: 'person',
  } as const satisfies Record<string, Message>
  const ids = guideFilterKeys.flatMap((key) =>
    params.getAll(key).map((id) => {
      const name = listOf[key].find((option) => option.id === id)?.name || id
      return { key, value: id, says: `${t(words[key])} ${isolateText(name)}` }
    }),
  )
  const attributes = [...params].flatMap(([key, value]) => {
    const attribute = toAttribute(key)
    return attribute === undefined ? [] : { key, value, says: `${attribute} ${isolateText(value)}` }
  })
  const gaps = params
    .getAll('without')
    .map((value) => ({ key: 'without', value, says: t('people without a team') }))
  const filters = [...ids, ...gaps, ...attributes].filter(({ value }) => value !== '')
  if (filters.length === 0) return null
  const rest = [...allOf(context)].filter(([of]) => !filters.some(({ key }) => key === of))
  return (
    <p class="quiet">
      {rich('Only {list}. <a>Show all</a>', {
        list: filters.map(({ says }) => says).join(', '),
        a: (text) => <a href={guidesHref(new URLSearchParams(rest), {})}>{text}</a>,
      })}
    </p>
  )
}

function Headlines({ context, metrics }: { context: PageContext; metrics: GuideMetrics }) {
  const { format } = context
  const params = allOf(context)
  const { on_time_rate, assigned, completed } = metrics
  const count = (part: GuidePart, n: number) => (
    <GuideCount n={n} href={guideRowsHref(params, part)}>
      {format.count(n)}
    </GuideCount>
  )
  const headline = (id: keyof GuideMetrics, value: string | null, part: GuidePart, n: number) => {
    const [name, definition] = [
      lookUp(guideMetricDefinitions[id].title),
      lookUp(guideMetricDefinitions[id].definition),
    ]
    return {
      id,
      name,
      value,
      rows: n === 0 ? null : { href: guideRowsHref(params, part), count: n },
      notes: id === 'on_time_rate' ? [exclusionSentence(on_time_rate, format)] : [],
      definitions: (
        <p>
          {definition} <a href={`/help#guide-${id}`}>{t('All definitions')}</a>
        </p>
      ),
    }
  }
  const rate = (id: 'completion_rate' | 'on_time_rate', some: GuidePart, all: GuidePart) => {
    const { value, numerator, denominator } = metrics[id]
    return {
      ...headline(id, value === null ? null : format.percent(value), some, numerator),
      of: rich('{some} of {all}', { some: count(some, numerator), all: count(all, denominator) }),
    }
  }
  const number = (id: 'overdue' | 'completed' | 'assigned', of: string) => {
    const { value } = metrics[id]
    return { ...headline(id, format.count(value), id, value), of }
  }
  return (
    <div class="headlines">
      <Headline {...rate('completion_rate', 'completed', 'assigned')} />
      <Headline {...rate('on_time_rate', 'on_time', 'decided')} />
      <Headline
        {...number(
          'overdue',
          t('of {value} not completed', { value: format.count(assigned.value - completed.value) }),
        )}
      />
      <Headline {...number('completed', t('of {value}', { value: format.count(assigned.value) }))} />
      <Headline {...number('assigned', t('guide assignments'))} />
    </div>
  )
}
