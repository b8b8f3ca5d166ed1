import { t, type Message } from '../../../language/translate.ts'
import {
  isSo,
  learnerFilters,
  type LearnerCounts,
  type LearnerFilter,
} from '../../../reporting/scope/learner-request.ts'
import type { Learner } from '../../../reporting/statements/learners.ts'
import { list } from '../../blocks/list.tsx'
import { definePage, type PageData, type View } from '../../blocks/page.ts'
import { NoAssignments } from '../../components/messages.tsx'
import { Segments } from '../../components/page-links.tsx'
import { ObjectLinks, PersonLink } from '../../components/people.tsx'
import {
  mayRemind,
  readReminded,
  RemindAll,
  RemindedNote,
  RemindForm,
  RemindTick,
  type Reminded,
} from '../../components/remind.tsx'
import { answerOf } from '../../components/stamp.tsx'
import { column, inFile, type Table } from '../../components/table.tsx'
import { findKey, oneOf } from '../../scope/page-keys.ts'
import { rowsFileHref } from '../../scope/page-url.ts'

const countWords: Record<LearnerFilter, Message> = {
  overdue: '{n} overdue',
  awaiting: '{n} waiting for a grade',
  unfinished: '{n} with open work',
  complete: '{n} with everything completed',
}
const filterWords: Record<LearnerFilter, Message> = {
  overdue: 'overdue',
  awaiting: 'waiting for a grade',
  unfinished: 'with open work',
  complete: 'with everything completed',
}

const own = {
  q: findKey,
  with: oneOf(learnerFilters, { label: 'People', words: (only) => t(filterWords[only]), isSwitch: true }),
}
/** `counts`: of everyone in scope. */
type PeopleView = View<PageData & { counts: readonly LearnerCounts[] }, typeof own>
/** `reminded`: only of people who are listed as overdue. */
type Row = Learner & { reminded?: Reminded | undefined }

const countOf = ({ data }: Pick<PeopleView, 'data'>, only: LearnerFilter | undefined): number =>
  only === undefined ? data.counts.length : data.counts.filter(isSo[only]).length

/** The people of a scope, most overdue first. */
export const peoplePage = definePage<PeopleView['data'], typeof own>({
  path: '/learners',
  isList: true,
  title: 'People',
  question: 'Who is behind?',
  keys: { own },
  async read({ routes: { queries }, scope }) {
    const [frame, counts] = await Promise.all([queries.frame(scope), queries.learnerCounts(scope)])
    return { ...frame, answer: answerOf(scope), counts }
  },
  counts: (view) => (view.own.q === undefined ? { total: countOf(view, view.own.with) } : undefined),
  // No filter of assignments selects the work of some of these people.
  exports: ({ own: { q, with: only }, rowParams, data: { answer } }) =>
    q === undefined && only === undefined
      ? [{ name: t('Their assignments'), href: rowsFileHref(rowParams, answer.as_of) }]
      : [],
  empty: ({ data, context }) =>
    data.counts.length === 0 && context.params.size === 0 ? (
      <NoAssignments context={context} hasFilters={false} />
    ) : null,
  blocks: [
    {
      id: 'people',
      title: 'People',
      defines: ['overdue', 'grading_backlog', 'completion_rate'],
      tools: (view) =>
        view.own.with === 'overdue' && view.own.q === undefined && mayRemind(view.context) ? (
          <RemindAll context={view.context} n={countOf(view, 'overdue')} />
        ) : null,
      list: list({
        table: peopleTable,
        rows: readPeople,
        most: 50,
        pageKey: 'page',
        sortKey: 'sort',
        findKey: 'q',
        narrowedBy: ['with'],
        empty: () => (
          <>
            {t('No one found.')} <a href="/learners">{t('Show all people')}</a>
          </>
        ),
      }),
      content: (view, { find, list }) => (
        <>
          <div class="lines-tools">
            <Filters view={view} />
            {find}
          </div>
          {view.own.with === 'overdue' ? <RemindForm context={view.context}>{list}</RemindForm> : list}
        </>
      ),
    },
  ],
})

async function readPeople(
  { routes, scope, data, own: { q, with: only } }: PeopleView,
  part: { offset: number; limit: number; by: string | undefined },
): Promise<{ rows: Row[]; total: number }> {
  const page = await routes.queries.learners(scope, data.counts, { search: q, only, ...part })
  if (only !== 'overdue' || part.limit === Number.POSITIVE_INFINITY) return page
  const ids = page.rows.map(({ user_id }) => user_id)
  const reminded = await readReminded(routes, ids)
  return { ...page, rows: page.rows.map((row) => ({ ...row, reminded: reminded.get(row.user_id) })) }
}

/** Each says how many people it shows, of everyone in scope. */
function Filters({ view }: { view: PeopleView }) {
  const { count } = view.context.format
  const links = [undefined, ...learnerFilters].map((only) => ({
    name: t(only === undefined ? 'All {n}' : countWords[only], { n: count(countOf(view, only)) }),
    href: view.to({ with: only ?? null, q: null, page: null }, 'people'),
    isShown: only === view.own.with,
  }))
  return <Segments label={t('People')} links={links} keepsPlace />
}

function peopleTable({ context, own }: PeopleView): Table<Row> {
  const toNames = (named: Learner['teams']) => named.map(([id, name]) => name || id).join('; ')
  return {
    label: 'People',
    nameOf: ({ user_name, user_id }) => user_name || user_id,
    order: '-overdue',
    columns: [
      column('text', 'user_name', 'Person', {
        sorts: true,
        cell: (row) => (
          <>
            {own.with === 'overdue' ? (
              <RemindTick context={context} id={row.user_id} name={row.user_name} />
            ) : null}{' '}
            <PersonLink context={context} id={row.user_id} name={row.user_name} />
            {row.is_active ? null : <small class="quiet"> {t('has left')}</small>}
            <RemindedNote context={context} reminded={row.reminded} />
          </>
        ),
      }),
      column('count', 'overdue', 'Overdue', { sorts: true }),
      column('count', 'awaiting_grading', 'Waiting for a grade', { sorts: true, optional: true }),
      column('count', 'completed', 'Completed', { sorts: true, optional: true }),
      column('count', 'assigned', 'Assigned', { sorts: true, optional: true }),
      column('text', 'managers', 'Manager', (row) => toNames(row.managers), {
        optional: true,
        cell: ({ managers }) => <ObjectLinks context={context} kind="manager" of={managers} />,
      }),
      column('text', 'teams', 'Team', (row) => toNames(row.teams), {
        optional: true,
        cell: ({ teams }) => <ObjectLinks context={context} kind="team" of={teams} />,
      }),
      inFile('text', 'has_left', 'Has left', (row) => String(!row.is_active)),
      inFile('text', 'user_id', 'Person id'),
    ],
  }
}
