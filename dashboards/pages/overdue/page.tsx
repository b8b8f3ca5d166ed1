import { t } from '../../../language/translate.ts'
import { list } from '../../blocks/list.tsx'
import { definePage } from '../../blocks/page.ts'
import { canOpen } from '../../components/access.tsx'
import type { OwnDefinition } from '../../components/figure.tsx'
import { agingFinding } from '../../components/figures/findings.ts'
import { Segments } from '../../components/page-links.tsx'
import { readReminded, RemindAll, RemindForm } from '../../components/remind.tsx'
import { momentOf } from '../../components/stamp.tsx'
import { rowOnly } from '../../scope/follow.ts'
import {
  agingTable,
  dueDaysTable,
  managersTable,
  own,
  peopleTable,
  type OverdueData,
  type OverdueView,
} from './tables.tsx'
import { dueFinding, overdueFinding } from './words.ts'

const managers: OwnDefinition = {
  title: 'Manager',
  definition:
    'The direct managers of a person at that moment. A person with two managers counts under both, so managers may add up to more than the total.',
}
const dueDay: OwnDefinition = {
  title: 'Due on a day',
  definition:
    'Assignments whose due date is that calendar day in the due zone. Open: the person still has to act. All: open, submitted, and failed without a submission.',
}

const isGrouped = ({ own: { group } }: OverdueView) => group === 'manager'

/** What people and their managers have in common: one switch shows either. */
const either = {
  finding: ({ data, context }: OverdueView) => overdueFinding(data, context.format),
  defines: ['overdue' as const],
  also: [managers],
  tools,
}
const paged = { most: 25, pageKey: 'page', sortKey: 'sort', empty: () => t('No one is overdue.') }

function tools(view: OverdueView) {
  const { context, data, to } = view
  const toGroup = (group: 'manager' | null) => to({ group, page: null, sort: null })
  return (
    <div class="contacts">
      <Segments
        label={t('Group by')}
        links={[
          { name: t('People'), href: toGroup(null), isShown: !isGrouped(view) },
          { name: t('Managers'), href: toGroup('manager'), isShown: isGrouped(view) },
        ]}
      />
      {data.people.length === 0 ? null : <RemindAll context={context} n={data.people.length} />}
    </div>
  )
}

export const overduePage = definePage<OverdueData, typeof own>({
  path: '/overdue',
  title: 'Overdue',
  question: 'Who is overdue?',
  keys: { own, ignored: rowOnly.filter((key) => key !== 'aging') },
  async read({ routes, scope }) {
    const overdue = await routes.queries.overdue(scope)
    const users = overdue.people.map(({ user_id }) => user_id)
    return { ...overdue, reminded: await readReminded(routes, users) }
  },
  blocks: [
    {
      id: 'people',
      ...either,
      title: 'People',
      isShown: (view) => !isGrouped(view),
      list: list({ table: peopleTable, rows: ({ data }) => data.people, ...paged }),
      content({ context, data, routes }, parts) {
        if (data.people.length === 0) return parts.list
        const canAssign = routes.orders !== undefined && canOpen(context, '/assign')
        return <RemindForm {...{ context, canAssign }}>{parts.list}</RemindForm>
      },
    },
    {
      id: 'by-manager',
      ...either,
      title: 'Managers',
      isShown: isGrouped,
      list: list({ table: managersTable, rows: ({ data }) => data.by_manager, ...paged }),
    },
    {
      id: 'aging',
      isHalf: true,
      title: 'How long overdue?',
      finding: ({ data, context }) => agingFinding(data.aging, data.overdue, context.format),
      defines: ['aging'],
      sql: 'aging',
      list: list({ table: agingTable, rows: ({ data }) => data.aging }),
    },
    {
      id: 'due-days',
      isHalf: true,
      title: ({ data, context }) =>
        momentOf(data.answer.as_of, context.format) === 'now'
          ? t('Due in the next 14 days')
          : t('Due in the 14 days from then'),
      // Days overdue select no work that is not due yet.
      isShown: ({ scope }) => scope.aging.length === 0,
      finding: ({ data, context }) => dueFinding(data.due_days, context.format),
      defines: ['due_soon'],
      also: [dueDay],
      list: list({ table: dueDaysTable, rows: ({ data }) => data.due_days }),
    },
  ],
})
