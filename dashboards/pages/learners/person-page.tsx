import { counted } from '../../../language/format.ts'
import { isolateText, t } from '../../../language/translate.ts'
import type { OnePerson } from '../../../reporting/statements/learners.ts'
import { statusWords } from '../../../reporting/words/change-words.ts'
import { effectiveStatuses } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { list } from '../../blocks/list.tsx'
import { definePage, type Ask, type Read, type View } from '../../blocks/page.ts'
import { canOpen } from '../../components/access.tsx'
import { assignmentTable } from '../../components/assignment-table.tsx'
import { Count, rowsOf } from '../../components/count.tsx'
import { objectHref } from '../../components/group-url.ts'
import { challengeName, ObjectLinks, platformColumn, PlatformLink } from '../../components/people.tsx'
import { readReminded, RemindAll, RemindedNote } from '../../components/remind.tsx'
import { answerOf } from '../../components/stamp.tsx'
import type { Table } from '../../components/table.tsx'
import { notAmongOwnPeople } from '../../http/problems.ts'
import { allButMoment, allFilters } from '../../scope/follow.ts'
import type { OwnKeys } from '../../scope/page-keys.ts'
import { href, rowsFileHref } from '../../scope/page-url.ts'

type PersonView = View<Read<typeof readPerson>, OwnKeys>

/** All assignments are one click away. */
const mostRows = 50

/** One person: their assignments, what is overdue first. */
export const personPage = definePage<PersonView['data'], OwnKeys>({
  path: '/learners/:id',
  title: ({ data: { name } }) => name,
  question: ({ data: { name } }) => isolateText(name),
  keys: { own: {}, ignored: allButMoment.filter((key) => key !== 'user' && key !== 'include_leavers') },
  hasFilters: false,
  fixed: (id) => ({ user: id, include_leavers: 'true' }),
  read: readPerson,
  unknown: (c, routes) => notAmongOwnPeople(c, routes, 'person'),
  crumb: ({ context }) => ({ href: href('/learners', allFilters(context)), name: t('People') }),
  tools: ({ id, data: { person }, routes, context }) =>
    routes.orders !== undefined && person?.is_active === true && canOpen(context, '/assign') ? (
      <a class="button" href={href('/assign', new URLSearchParams({ user: id }))}>
        {t('Assign a guide')}
      </a>
    ) : null,
  blocks: [
    {
      id: 'person',
      bare: (view) => [<PersonFacts {...view} />, <StatusCounts {...view} />],
    },
    {
      id: 'assignments',
      title: 'Assignments',
      finding: ({ data: { metrics, rows } }) =>
        metrics.overdue.value === 0
          ? undefined
          : t(
              '{n} overdue, the longest for {days, plural, =0 {less than a day} one {# day} other {# days}}.',
              {
                n: metrics.overdue.value,
                days: rows[0]?.days_overdue ?? 0,
              },
            ),
      defines: ['overdue'],
      tools: ({ id, context, data: { metrics, reminded } }) =>
        metrics.overdue.value === 0 ? null : (
          <p class="no-print">
            <RemindAll context={context} n={1} narrow={{ user: id }} />{' '}
            <RemindedNote context={context} reminded={reminded} />
          </p>
        ),
      list: list({
        table: assignmentsTable,
        rows: ({ data: { rows, metrics } }) => ({ rows, total: metrics.assigned.value }),
        most: mostRows,
        all: ({ context }) => rowsOf(context, {}) ?? undefined,
        file: ({ rowParams, data: { answer } }) => rowsFileHref(rowParams, answer.as_of),
        empty: () => t('Nothing is assigned at this moment.'),
      }),
    },
  ],
})

async function readPerson({ routes, id, scope: asked }: Ask<OwnKeys>) {
  const { queries } = routes
  const { metrics, as_of } = await queries.metrics(asked)
  const scope = { ...asked, asOf: Date.parse(as_of) }
  const others = effectiveStatuses.filter((status) => status !== 'overdue')
  const [person, overdue, rest, frame] = await Promise.all([
    queries.person(id, scope),
    queries.assignments(
      { ...scope, status: ['overdue'] },
      { order: { by: 'days_late', descending: true }, limit: mostRows, withTotal: false },
    ),
    queries.assignments({ ...scope, status: others }, { limit: mostRows, withTotal: false }),
    queries.frame(scope),
  ])
  /** Overdue ones first, the longest first; then the newest. */
  const rows = [...overdue.rows, ...rest.rows].slice(0, mostRows)
  if (person === null && rows.length === 0) return null
  const reminded = (await readReminded(routes, person === null ? [] : [id])).get(id)
  const name = person?.user_name || rows[0]?.user_name || id
  return { ...frame, answer: answerOf(scope), name, person, metrics, rows, reminded }
}

function assignmentsTable({ context }: PersonView): Table<AssignmentRow> {
  const { columns, ...table } = assignmentTable([
    'challenge',
    'effective_status',
    'due_day',
    'days_overdue',
    'calculated_grade',
  ])
  const isLinked = context.settings.platformLinks?.assignment !== undefined
  return {
    ...table,
    nameOf: challengeName,
    columns: [...columns, ...(isLinked ? [platformColumn('assignment')] : [])],
  }
}

function PersonFacts({ context, id, data }: PersonView) {
  const { managers = [], teams = [], reports = 0, email = '', is_active = true } = data.person ?? {}
  const none = <span class="quiet">{t('none known')}</span>
  const linksOf = (kind: 'manager' | 'team', of: OnePerson['teams']) =>
    of.length === 0 ? none : <ObjectLinks context={context} kind={kind} of={of} />
  const facts = [
    [t('Manager'), linksOf('manager', managers)],
    [t('Team'), linksOf('team', teams)],
    reports > 0 && [
      t('Leads'),
      <a href={objectHref('manager', id, allFilters(context))}>
        {counted(context.format, reports, 'direct report')}
      </a>,
    ],
    isAddress(email) && [
      t('Email'),
      <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>,
    ],
    [t('Id'), id],
    context.settings.platformLinks?.learner !== undefined && [
      t('At the platform'),
      <PlatformLink context={context} to="learner" ids={{ user_id: id }} />,
    ],
    !is_active && [t('Active'), t('Has left: not in the numbers unless people who have left are included.')],
  ]
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact === false ? null : (
          <div>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Counts by status: of all assignments, also of those that the page does not list. */
function StatusCounts({ context, data: { metrics } }: PersonView) {
  const all = { words: t('assigned'), count: metrics.assigned.value, narrow: {} }
  const ofStatus = metrics.statuses.map(({ status, count }) => ({
    words: statusWords(status),
    count,
    narrow: { status },
  }))
  return (
    <ul class="chips" aria-label={t('Assignments by status')}>
      {[all, ...ofStatus.filter(({ count }) => count > 0)].map(({ words, count, narrow }) => (
        <li>
          <span class="chip">
            <Count context={context} n={count} narrow={narrow} /> {words}
          </span>
        </li>
      ))}
    </ul>
  )
}
