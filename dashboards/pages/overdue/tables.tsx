import type { DueDay, LateGroup, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { agingBuckets } from '../../../schemas/metrics/answer.ts'
import type { View } from '../../blocks/page.ts'
import { rowName } from '../../components/figures/findings.ts'
import { ObjectLinks, PersonLink } from '../../components/people.tsx'
import { mayRemind, RemindAll, RemindedNote, RemindTick, type Reminded } from '../../components/remind.tsx'
import { column, inFile, shareOf, type Column, type Table } from '../../components/table.tsx'
import { allFilters } from '../../scope/follow.ts'
import { oneOf } from '../../scope/page-keys.ts'
import { href, withChange, type Narrow } from '../../scope/page-url.ts'
import { daysOverdue, personName } from './words.ts'

/** The parameters that only this page has. */
export const own = { group: oneOf(['manager']) }

/** `reminded`: the last reminder by person. */
export type OverdueData = Overdue & { reminded: ReadonlyMap<string, Reminded> }
export type OverdueView = View<OverdueData, typeof own>

export function peopleTable({ context, data, routes }: OverdueView): Table<LatePerson> {
  const { reminded } = data
  const nameOf = new Map(data.by_manager.map(({ id, name }) => [id, name || id]))
  const teamOf = new Map(data.options.teams.map(({ id, name }) => [id, name || id]))
  const joined = (ids: readonly string[], names: ReadonlyMap<string, string>) =>
    ids.map((id) => names.get(id) ?? id).join('; ')
  const hasReminders = mayRemind(context) && (routes.digest?.reminders.canSend === true || reminded.size > 0)
  const lastOf = ({ user_id }: LatePerson) => reminded.get(user_id)
  const remindedAt = column<LatePerson>(
    'instant',
    'reminded_at',
    'Last reminder',
    (row) => lastOf(row)?.at ?? null,
    {
      sorts: true,
      cell: (row) => <RemindedNote context={context} reminded={lastOf(row)} />,
    },
  )
  return {
    label: 'Overdue people',
    className: 'rows list-cards named',
    order: '-most_days_overdue',
    nameOf: personName,
    narrow: ({ user_id }) => (user_id === '' ? null : { user: user_id }),
    columns: [
      column('text', 'user_name', 'Person', ({ name }) => name, {
        sorts: true,
        cell: (row) => (
          <>
            <RemindTick context={context} id={row.user_id} name={personName(row)} />
            <PersonLink context={context} id={row.user_id} name={row.name} />
          </>
        ),
      }),
      column('count', 'overdue', 'Overdue', { sorts: true, rows: { fact: 'overdue' } }),
      daysColumn(),
      column('text', 'managers', 'Manager', ({ managers }) => joined(managers, nameOf), {
        sorts: true,
        cell({ managers }) {
          const of = managers.map((id) => [id, nameOf.get(id) ?? ''] as const)
          return <ObjectLinks context={context} kind="manager" of={of} />
        },
      }),
      ...(hasReminders ? [remindedAt] : []),
      inFile('text', 'email', 'Email'),
      inFile('text', 'teams', 'Teams', ({ teams }) => joined(teams, teamOf)),
      inFile('text', 'user_id', 'Person id'),
      inFile('text', 'manager_ids', 'Manager id', ({ managers }) => managers.join('; ')),
    ],
  }
}

const daysColumn = <Row extends { most_days: number }>(): Column<Row> =>
  column('count', 'most_days_overdue', 'Longest', ({ most_days }) => most_days, {
    sorts: true,
    cell: ({ most_days }, { format }) => daysOverdue(most_days, format),
  })

/** More people than this make an address too long. */
const mostNamedPeople = 40

export function managersTable({ context, data }: OverdueView): Table<LateGroup> {
  const most = Math.max(1, ...data.by_manager.map(({ overdue }) => overdue))
  // People of a manager may have another one: where managers are filtered, only people can select a group, as in that of no manager.
  const narrow = ({ id, people }: LateGroup): Narrow | null => {
    if (id !== '' && !context.params.has('manager')) return { manager: id, manager_depth: '1' }
    const user = people.map(({ user_id }) => user_id)
    return user.length > mostNamedPeople || user.includes('') ? null : { user }
  }
  const toPeople = (row: LateGroup) => {
    const change = narrow(row)
    return change === null ? null : `${href(context.path, withChange(allFilters(context), change))}#people`
  }
  const remind = column<LateGroup>('text', 'remind', 'Remind', () => null, {
    only: 'page',
    cell(row) {
      const change = narrow(row)
      return change && <RemindAll context={context} n={row.people.length} narrow={change} />
    },
  })
  return {
    label: 'Overdue by manager',
    className: 'ranking list-cards named',
    order: '-overdue',
    nameOf: (row) => rowName(row, 'manager'),
    narrow,
    columns: [
      column('text', 'manager_name', 'Manager', ({ name }) => name, { sorts: true, href: toPeople }),
      column('count', 'overdue', 'Overdue', {
        sorts: true,
        rows: { fact: 'overdue' },
        bar: (row) => ({ share: row.overdue / most, series: row.id === '' ? 'neutral' : 'age-3' }),
      }),
      column('count', 'people', 'People', ({ people }) => people.length, {
        sorts: true,
        optional: true,
        href: toPeople,
      }),
      { ...daysColumn<LateGroup>(), optional: true },
      ...(mayRemind(context) ? [remind] : []),
      inFile('text', 'manager_id', 'Manager id', ({ id }) => id),
    ],
  }
}

/** A bucket opens its people above. */
export const agingTable = ({ data, context }: OverdueView): Table<Overdue['aging'][number]> => ({
  label: 'Days overdue',
  className: 'shares',
  nameOf: ({ bucket }) => bucket.replace('-', '–'),
  narrow: ({ bucket }) => ({ aging: bucket }),
  columns: [
    column('text', 'bucket', 'Days overdue', {
      href: ({ bucket, count }) =>
        count === 0
          ? null
          : `${href(context.path, withChange(allFilters(context), { aging: bucket }))}#people`,
    }),
    column('count', 'count', 'Count', {
      rows: {},
      bar: ({ bucket, count }) => ({
        share: count / (data.overdue || 1),
        series: `age-${agingBuckets.indexOf(bucket)}`,
      }),
    }),
    shareOf(data.overdue, ({ count }) => count),
  ],
})

export function dueDaysTable({ data, context }: OverdueView): Table<DueDay> {
  const most = Math.max(1, ...data.due_days.map(({ open }) => open))
  return {
    label: 'Due days',
    className: 'shares',
    nameOf: ({ day }) => context.format.weekday(day),
    narrow: ({ day }) => ({ due_from: day, due_to: day }),
    columns: [
      column('day', 'day', 'Due'),
      column('count', 'open', 'Open', {
        rows: { fact: 'open' },
        bar: ({ open }) => ({ share: open / most, series: 'open' }),
      }),
      column('count', 'submitted', 'Submitted', (row) => row.handed_in, { rows: { fact: 'submitted' } }),
      column('count', 'due', 'All', { rows: {} }),
      inFile('count', 'failed', 'Failed'),
    ],
  }
}
