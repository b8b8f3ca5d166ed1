import { counted } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { OverviewBlock } from '../../../reporting/exports/overview-tables.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { list } from '../../blocks/list.tsx'
import { definePage, type Block } from '../../blocks/page.ts'
import { comparisonWords } from '../../components/figures/comparisons.ts'
import { drawCohorts } from '../../components/figures/draw-charts.ts'
import { CohortFigure, type BlockHref } from '../../components/figures/figures.tsx'
import { rank, rankingFinding } from '../../components/figures/findings.ts'
import { Headlines } from '../../components/figures/headlines.tsx'
import { readPace } from '../../components/figures/pace.ts'
import { objectPaths } from '../../components/group-url.ts'
import { NoAssignments } from '../../components/messages.tsx'
import { filterChips } from '../../scope/filter-words.ts'
import { allFilters, rowOnly } from '../../scope/follow.ts'
import { href, rowsFileHref, withChange } from '../../scope/page-url.ts'
import { setupPage } from '../setup/routes.ts'
import { Attention } from './attention.tsx'
import { ChangesStrip } from './changes-strip.tsx'
import { groupTable } from './group-table.tsx'
import { OwnTeam } from './own-team.tsx'
import { readChanges, readTeam, type HomeData, type HomeView } from './view.ts'

const toBlockHref =
  ({ context, data }: HomeView): BlockHref =>
  (name) =>
    href(`/overview/${name}.csv`, withChange(context.params, { as_of: data.answer.as_of }))

/** The five groups that need help most. All of them have a page of their own. */
const groups = (noun: 'team' | 'challenge', title: Message, none: Message): Block<HomeView> => ({
  id: `by-${noun}`,
  title,
  finding: ({ data, context }) => rankingFinding(data[`by_${noun}`], noun, context.format),
  defines: ['on_time_rate', 'overdue'],
  sql: 'on_time_rate',
  list: list({
    table: (view) => groupTable(noun, view),
    rows: ({ data }) => {
      const { ranked, few } = rank(data[`by_${noun}`])
      return [...ranked, ...few]
    },
    most: 5,
    all: ({ context }) =>
      href(objectPaths[noun], withChange(allFilters(context), { compare: null, period: null })),
    file: (view) => toBlockHref(view)(`by-${noun}`),
    empty: () => t(none as 'Nothing in this scope has a team.'),
  }),
})

const otherFiles: Partial<Record<OverviewBlock, Message>> = {
  trend: 'Trend',
  'due-cohorts': 'Due weeks',
  aging: 'Days overdue',
  funnel: 'Funnel',
  grades: 'Grades',
}

export const homePage = definePage<HomeData, Record<string, never>>({
  path: '/',
  title: 'Home',
  question: 'Do people complete on time?',
  keys: { own: {}, ignored: rowOnly, compares: true },
  async read(ask) {
    const { routes, scope, previous, context } = ask
    const overview = await routes.queries.overview(scope, previous)
    // Setup shows the secret ingest URL.
    if (currentVisitor().role === 'owner' && !overview.freshness.has_challenge_events) return null
    const { as_of: asOf, metrics } = overview.answer
    const at = { ...scope, asOf: Date.parse(asOf) }
    const [changes, team, pace] = await Promise.all([
      readChanges(ask, at, overview),
      readTeam(ask, at),
      readPace(routes, scope, context, metrics),
    ])
    return { ...overview, changes, team, pace }
  },
  unknown: (c, routes) => setupPage(c, routes),
  exports: (view) => {
    const { rowParams, context } = view
    const { as_of: asOf, metrics } = view.data.answer
    return [
      {
        name: counted(context.format, metrics.assigned.value, 'assignment'),
        href: rowsFileHref(rowParams, asOf),
      },
      { name: t('All numbers'), href: href('/api/metrics', withChange(rowParams, { as_of: asOf })) },
      ...Object.entries(otherFiles).map(([name, words]) => ({
        name: t(words as 'Trend'),
        href: toBlockHref(view)(name as OverviewBlock),
      })),
    ]
  },
  empty: ({ data, context }) =>
    data.answer.metrics.assigned.value > 0 ? null : (
      <NoAssignments
        context={context}
        hasFilters={filterChips(context.params, data.options, context.format).length > 0}
      />
    ),
  blocks: [
    { id: 'team', isShown: ({ data }) => data.team !== null, bare: (view) => <OwnTeam {...view} /> },
    {
      id: 'changes',
      isShown: ({ data }) => data.changes !== null,
      bare: (view) => <ChangesStrip {...view} />,
    },
    {
      id: 'headlines',
      bare: ({ context, data, rowParams }) => (
        <>
          <p class="compared">{comparisonWords(data, context.format)?.sentence}</p>
          <Headlines context={{ ...context, ...data.pace }} overview={data} rowParams={rowParams} />
        </>
      ),
    },
    { id: 'attention', bare: (view) => <Attention {...view} /> },
    {
      id: 'due-cohorts',
      bare: async (view) => (
        <CohortFigure
          context={view.context}
          overview={view.data}
          block={toBlockHref(view)}
          drawn={await drawCohorts(view.data, view.context, view.routes)}
        />
      ),
    },
    groups('team', 'Which teams need help?', 'Nothing in this scope has a team.'),
    groups(
      'challenge',
      'Which challenges are hard to complete on time?',
      'Nothing in this scope has a challenge.',
    ),
  ],
})
