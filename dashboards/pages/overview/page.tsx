import { counted } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { cohortBlock, groupsBlock } from '../../blocks/figures.tsx'
import { definePage } from '../../blocks/page.ts'
import { comparisonWords } from '../../components/figures/comparisons.ts'
import { Headlines } from '../../components/figures/headlines.tsx'
import { readPace } from '../../components/figures/pace.ts'
import { NoAssignments } from '../../components/messages.tsx'
import { filterChips } from '../../scope/filter-words.ts'
import { allFilters, rowOnly } from '../../scope/follow.ts'
import { href, rowsFileHref, withChange } from '../../scope/page-url.ts'
import { setupPage } from '../setup/routes.ts'
import { Attention } from './attention.tsx'
import { ChangesStrip, weekOf } from './changes-strip.tsx'
import { OwnTeam } from './own-team.tsx'
import { readTeam, type HomeData, type HomeView } from './view.ts'

export const homePage = definePage<HomeData, Record<string, never>>({
  path: '/',
  title: 'Home',
  question: 'Are people on time?',
  keys: { own: {}, ignored: rowOnly, compares: true },
  async read(ask) {
    const { routes, scope, previous, context } = ask
    const overview = await routes.queries.overview(scope, previous)
    // Setup shows the secret ingest URL.
    if (currentVisitor().role === 'owner' && !overview.freshness.has_challenge_events) return null
    const { as_of: asOf, metrics } = overview.answer
    const at = { ...scope, asOf: Date.parse(asOf) }
    const [team, pace] = await Promise.all([readTeam(ask, at), readPace(routes, scope, context, metrics)])
    return { ...overview, team, pace }
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
      isShown: (view) => weekOf(view) !== undefined,
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
    cohortBlock<HomeView>(),
    groupsBlock<HomeView>({
      noun: 'team',
      title: 'Which teams need help?',
      filters: ({ context }) => allFilters(context),
      isWhole: false,
    }),
    groupsBlock<HomeView>({
      noun: 'challenge',
      title: 'Which challenges are hard to complete on time?',
      filters: ({ context }) => allFilters(context),
      isWhole: false,
    }),
  ],
})
