import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import { learnerFilters, type LearnerFilter } from '../../../reporting/scope/learner-request.ts'
import type { LearnerPage } from '../../../reporting/statements/learners.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { Count } from '../../components/count.tsx'
import { Hidden } from '../../components/field.tsx'
import { Listing, numeric } from '../../components/listing.tsx'
import { PageLinks } from '../../components/page-links.tsx'
import { ObjectLinks, PersonLink } from '../../components/people.tsx'
import { mayRemind, RemindAll, RemindedNote, RemindForm, RemindTick, type Reminded } from '../../components/remind.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { PageContext } from '../../page-context.ts'
import { filterChips } from '../../scope/filter-words.ts'
import { pageParams, rowsFileHref, withChange } from '../../scope/page-url.ts'
import { learnersFileHref, learnersHref, type LearnersState } from './links.ts'
import { t, rich, type Message } from '../../../language/translate.ts'
import { NoAssignments } from '../../components/messages.tsx'

type LearnersPageProps = {
  context: PageContext
  scope: Scope
  page: LearnerPage
  frame: PageFrame
  state: LearnersState
  /** Of those who are listed as late. */
  reminded: ReadonlyMap<string, Reminded>
  notices: string[]
}

/** The people of a scope, most overdue first. */
export function LearnersPage(props: LearnersPageProps) {
  const { context, scope, page, frame, state, notices } = props
  const { format, params } = context
  const answer = answerOf(scope)
  const total = page.total ?? 0
  const { search, only, cursor } = state
  const rowParams = context.rows?.params ?? params
  const chips = filterChips(params, frame.options, format)
  const pinned = withChange(params, { as_of: params.get('as_of') ?? answer.as_of })
  return (
    <ScopePage
      context={context}
      title={t('Learners')}
      question={t('Who is behind, and with what?')}
      counts={{ total }}
      frame={{ ...frame, answer }}
      exports={[
        { name: t('These people'), href: learnersFileHref(rowParams, answer.as_of, state) },
        // No filter of assignments says what is asked of people here.
        ...(search === '' && only === null
          ? [{ name: t('Their assignments'), href: rowsFileHref(rowParams, answer.as_of, 'csv') }]
          : []),
      ]}
      notices={notices}
    >
      <Search context={context} state={state} />
      <StatusChips context={context} page={page} state={state} />
      {total === 0 && chips.length === 0 && search === '' && only === null ? (
        <NoAssignments context={context} hasFilters={false} />
      ) : total === 0 ? (
        <p class="notices">
          {rich('Nobody matches. <a>Clear everything</a> to see all people.', {
            a: (text) => <a href="/learners">{text}</a>,
          })}
        </p>
      ) : (
        <>
          <p class="rows-words">
            {search === ''
              ? t('{n, plural, one {# person} other {# people}}, most overdue first.', { n: total })
              : t('{n, plural, one {# person} other {# people}} found for “{search}”, most overdue first.', {
                  n: total,
                  search,
                })}
          </p>
          <People {...props} />
        </>
      )}
      {cursor === null && page.next === null ? null : (
        <PageLinks
          label={t('Pages of people')}
          first={cursor && learnersHref(pinned, state, {})}
          next={page.next && learnersHref(pinned, state, { after: page.next })}
        />
      )}
    </ScopePage>
  )
}

function Search({ context, state }: { context: PageContext; state: LearnersState }) {
  return (
    <form class="learner-search" method="get" action="/learners" role="search">
      <Hidden
        fields={[...pageParams(context.params), ...(state.only === null ? [] : [['with', state.only] as const])]}
      />
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

export const chipWords: Record<LearnerFilter, Message> = {
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

/** Late people can be reminded: one, those who are ticked, or all. */
function People({ context, page, state: { search, only }, reminded }: LearnersPageProps) {
  if (only !== 'overdue') return <LearnersTable context={context} page={page} />
  return (
    <>
      {/* Those whom a search found are ticked. */}
      {search === '' && mayRemind(context) ? (
        <p class="no-print">
          <RemindAll context={context} n={page.total ?? 0} />
        </p>
      ) : null}
      <RemindForm context={context}>
        <LearnersTable context={context} page={page} reminded={reminded} />
      </RemindForm>
    </>
  )
}

/** `reminded`: left out where nobody can be ticked. */
function LearnersTable({
  context,
  page,
  reminded,
}: Pick<LearnersPageProps, 'context' | 'page'> & Partial<Pick<LearnersPageProps, 'reminded'>>) {
  return (
    <div class="figure">
      <Listing
        label={t('People')}
        className="rows"
        columns={[
          t('Person'),
          ...[t('Overdue'), t('Waiting for a grade'), t('Completed'), t('Assigned')].map((name) => numeric(name)),
          t('Manager'),
          t('Team'),
        ]}
        rows={page.learners.map(({ user_id, user_name, teams, managers, is_active, ...counts }) => {
          const n = (count: number, fact?: string) => (
            <td class={`number ${count === 0 ? 'zero' : ''}`}>
              <Count context={context} n={count} narrow={{ user: user_id, ...(fact !== undefined && { fact }) }} />
            </td>
          )
          return (
            <tr>
              <th scope="row">
                {reminded && <RemindTick context={context} id={user_id} name={user_name || user_id} />}
                <PersonLink context={context} id={user_id} name={user_name} />
                {is_active ? null : <small class="quiet"> {t('has left')}</small>}
                <RemindedNote context={context} reminded={reminded?.get(user_id)} />
              </th>
              {n(counts.overdue, 'overdue')}
              {n(counts.awaiting, 'awaiting_grading')}
              {n(counts.completed, 'completed')}
              {n(counts.assigned)}
              <td>
                <ObjectLinks context={context} kind="manager" of={managers} />
              </td>
              <td>
                <ObjectLinks context={context} kind="team" of={teams} />
              </td>
            </tr>
          )
        })}
      />
    </div>
  )
}
