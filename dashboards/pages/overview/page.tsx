import { rich, t, type Message } from '../../../language/translate.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { cohortBlock, exportsOf, groupsBlock, headlinesBlock } from '../../blocks/figures.tsx'
import { definePage, type Ask } from '../../blocks/page.ts'
import { Count } from '../../components/count.tsx'
import { readPace } from '../../components/figures/pace.ts'
import { NoAssignments } from '../../components/messages.tsx'
import { allFilters, rowOnly } from '../../scope/follow.ts'
import { setupPage } from '../setup/routes.ts'
import { Attention } from './attention.tsx'
import { ChangesStrip, weekOf } from './changes-strip.tsx'
import type { HomeData, HomeView } from './view.ts'

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
  exports: exportsOf,
  empty: ({ data, context }) =>
    data.answer.metrics.assigned.value > 0 ? null : (
      <NoAssignments context={context} hasFilters={context.params.size > 0} />
    ),
  blocks: [
    { id: 'team', isShown: ({ data }) => data.team !== null, bare: OwnTeam },
    { id: 'changes', isShown: (view) => weekOf(view) !== undefined, bare: ChangesStrip },
    headlinesBlock<HomeView>(),
    { id: 'attention', bare: Attention },
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

async function readTeam(
  { routes, context }: Ask<Record<string, never>>,
  scope: Scope,
): Promise<HomeData['team']> {
  const { people } = context.visitor.audience
  const [manager, ...others] = people === 'all' ? [] : people.under
  if (manager === undefined || others.length > 0 || scope.manager.length > 0) return null
  const { metrics } = await routes.queries.metrics({ ...scope, manager: [manager], managerDepth: 1 })
  return { manager, metrics }
}

/** The direct reports of the manager who reads, before the numbers of everyone else. */
function OwnTeam({ context, data: { team }, scope: { dueSoonDays: days } }: HomeView) {
  if (team === null) return null
  const { manager, metrics } = team
  const { overdue, grading_backlog: waiting, due_soon: soon } = metrics
  const count = (fact: string, value: number, words: Message) => (
    <Count context={context} n={value} narrow={{ manager, manager_depth: '1', fact }}>
      {t(words, { n: context.format.count(value), days })}
    </Count>
  )
  return (
    <p class="own-team" id="own-team">
      {rich('Your team: {overdue}, {waiting}, {soon}', {
        overdue: count('overdue', overdue.value, '{n} overdue'),
        waiting: count('awaiting_grading', waiting.value, '{n} waiting for a grade'),
        soon: count(
          'due_soon',
          soon.value,
          '{n} due {days, plural, =0 {today} one {within # day} other {within # days}}',
        ),
      })}
    </p>
  )
}
