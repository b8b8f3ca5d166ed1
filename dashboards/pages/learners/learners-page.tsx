import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import { learnerFilters, type LearnerFilter } from '../../../reporting/queries/learner-request.ts'
import type { LearnerPage } from '../../../reporting/statements/learners.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { Count } from '../../components/count.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Layout } from '../../components/layout.tsx'
import { ObjectLinks, PersonLink } from '../../components/people.tsx'
import { PageHead } from '../../components/page-head.tsx'
import type { PageContext } from '../../page-context.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { pageParams, rowsFileHref, withChange } from '../../scope/page-url.ts'
import { learnersHref, type LearnersState } from './links.ts'
import { t, rich, type Message } from '../../../language/translate.ts'
import { Notices, NoAssignments } from '../../components/messages.tsx'

type LearnersPageProps = {
  context: PageContext
  scope: Scope
  page: LearnerPage
  frame: PageFrame
  state: LearnersState
  notices: string[]
}

/** The people of a scope, most overdue first. */
export function LearnersPage({ context, scope, page, frame, state, notices }: LearnersPageProps) {
  const { format, params } = context
  const asOf = new Date(scope.asOf).toISOString()
  const total = page.total ?? 0
  const rowParams = context.rows?.params ?? params
  const { search, only } = state
  const chips = filterChips(params, frame.options, format)
  const pinned = withChange(params, { as_of: params.get('as_of') ?? asOf })
  return (
    <Layout context={context} title={t('Learners')} sample={frame.freshness.sample}>
      <PageHead
        context={context}
        stamped={{
          answer: { as_of: asOf, time_zone: scope.timeZone, due_zone: scope.dueZone },
          freshness: frame.freshness,
        }}
      >
        <h1 data-total={total}>{t('Who is behind, and with what?')}</h1>
      </PageHead>
      <FilterBar
        context={context}
        options={frame.options}
        moment={{ as_of: asOf, time_zone: scope.timeZone }}
        keeps={{ ...(search !== '' && { q: search }), ...(only !== null && { with: only }) }}
        exports={[{ name: t('Their assignments'), href: rowsFileHref(rowParams, asOf, 'csv') ?? '' }]}
      />
      <div id="results" data-swap>
        <Notices notices={notices} />
        <Search context={context} state={state} />
        <StatusChips context={context} page={page} state={state} />
        <p class="rows-words">
          {search === ''
            ? t('{n, plural, one {# person} other {# people}}, most overdue first.', { n: total })
            : t('{n, plural, one {# person} other {# people}} found for “{search}”, most overdue first.', {
                n: total,
                search,
              })}
        </p>
        {total === 0 && chips.length === 0 && search === '' && only === null ? (
          <NoAssignments context={context} hasFilters={false} />
        ) : total === 0 ? (
          <p class="notices">
            {rich('Nobody matches. <a>Clear everything</a> to see all people.', {
              a: (text) => <a href="/learners">{text}</a>,
            })}
          </p>
        ) : (
          <LearnersTable context={context} page={page} />
        )}
        {state.cursor === null && page.next === null ? null : (
          <nav class="pages" aria-label={t('Pages of people')}>
            {state.cursor === null ? null : (
              <a class="pill" href={learnersHref(pinned, state, {})}>
                {t('First')}
              </a>
            )}
            {page.next === null ? null : (
              <a class="pill" href={learnersHref(pinned, state, { after: page.next })} rel="next">
                {t('Next')}
              </a>
            )}
          </nav>
        )}
      </div>
    </Layout>
  )
}

function Search({ context, state }: { context: PageContext; state: LearnersState }) {
  return (
    <form class="learner-search" method="get" action="/learners" role="search">
      {[...pageParams(context.params)].map(([key, value]) => (
        <input type="hidden" name={key} value={value} />
      ))}
      {state.only === null ? null : <input type="hidden" name="with" value={state.only} />}
      <input
        type="search"
        name="q"
        value={state.search}
        placeholder={t('Name or id')}
        aria-label={t('Find a person by name or id')}
      />
      <button type="submit" class="button">
        {t('Find')}
      </button>
    </form>
  )
}

const chipWords: Record<LearnerFilter, Message> = {
  overdue: 'with something overdue',
  awaiting: 'waiting for a grade',
  unfinished: 'not completed',
  complete: 'with everything completed',
}

/** How many people are so, of all in scope; each chip shows them. */
function StatusChips({ context, page, state }: { context: PageContext; page: LearnerPage; state: LearnersState }) {
  const { format, params } = context
  const chips = [null, ...learnerFilters].map((only) => ({
    only,
    count: page.people[only ?? 'all'],
    words: only === null ? t('in all') : t(chipWords[only]),
  }))
  return (
    <ul class="chips" aria-label={t('People')}>
      {chips.map(({ only, count, words }) => (
        <li>
          <a
            class="chip"
            href={learnersHref(params, { ...state, search: '' }, { only })}
            aria-current={only === state.only ? 'true' : undefined}
            data-count={count}
          >
            {format.count(count)} {words}
          </a>
        </li>
      ))}
    </ul>
  )
}

function LearnersTable({ context, page }: { context: PageContext; page: LearnerPage }) {
  return (
    <div class="figure">
      <div class="scroll" tabindex={0} role="group" aria-label={t('People')}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t('Person')}</th>
              <th scope="col" class="number">
                {t('Overdue')}
              </th>
              <th scope="col" class="number">
                {t('Waiting for a grade')}
              </th>
              <th scope="col" class="number">
                {t('Completed')}
              </th>
              <th scope="col" class="number">
                {t('Assigned')}
              </th>
              <th scope="col">{t('Manager')}</th>
              <th scope="col">{t('Team')}</th>
            </tr>
          </thead>
          <tbody>
            {page.learners.map(({ user_id, user_name, teams, managers, is_active, ...counts }) => {
              const n = (count: number, fact?: string) => (
                <td class={`number ${count === 0 ? 'zero' : ''}`}>
                  <Count context={context} n={count} narrow={{ user: user_id, ...(fact !== undefined && { fact }) }} />
                </td>
              )
              return (
                <tr>
                  <th scope="row">
                    <PersonLink context={context} id={user_id} name={user_name} />
                    {is_active ? null : <small class="quiet"> {t('has left')}</small>}
                  </th>
                  {n(counts.overdue, 'overdue')}
                  {n(counts.awaiting, 'awaiting_grading')}
                  {n(counts.completed, 'completed')}
                  {n(counts.assigned)}
                  <td>
                    <ObjectLinks context={context} path="/managers" of={managers} />
                  </td>
                  <td>
                    <ObjectLinks context={context} path="/teams" of={teams} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </div>
  )
}
