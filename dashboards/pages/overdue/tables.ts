/** The figures of the Overdue page as tables: the content of their CSV and XLSX links, from the same data as the screen. */
import { agingBuckets } from '../../../schemas/metrics/answer.ts'
import type { LateGroup, Overdue } from '../../../reporting/statements/overdue.ts'
import type { Cell } from '../../../reporting/exports/csv.ts'

export const overdueTables = ['aging', 'by-manager', 'by-team', 'due-days', 'people'] as const
export type OverdueTable = (typeof overdueTables)[number]

export function overdueRows(overdue: Overdue, table: OverdueTable): Cell[][] {
  switch (table) {
    case 'aging':
      return [['bucket', 'count'], ...overdue.aging.map(({ bucket, count }) => [bucket, count])]
    case 'by-manager':
      return groupRows('manager', overdue.by_manager)
    case 'by-team':
      return groupRows('team', overdue.by_team)
    case 'due-days':
      return [
        ['day', 'due', 'handed_in', 'failed', 'open'],
        ...overdue.due_days.map(({ day, due, handed_in, failed, open }) => [day, due, handed_in, failed, open]),
      ]
    case 'people':
      return peopleRows(overdue)
  }
}

function groupRows(what: string, groups: readonly LateGroup[]): Cell[][] {
  return [
    [`${what}_id`, `${what}_name`, 'overdue', 'people', 'most_days_overdue'],
    ...groups.map(({ id, name, overdue, people, most_days }) => [id, name, overdue, people.length, most_days]),
  ]
}

function peopleRows({ people, by_manager, by_team }: Overdue): Cell[][] {
  const managers = new Map(by_manager.map(({ id, name }) => [id, name || id]))
  const teams = new Map(by_team.map(({ id, name }) => [id, name || id]))
  const named = (ids: readonly string[], names: ReadonlyMap<string, string>) =>
    ids.map((id) => names.get(id) ?? id).join('; ')
  return [
    [
      'user_id',
      'user_name',
      'email',
      'manager_ids',
      'managers',
      'teams',
      'overdue',
      'most_days_overdue',
      ...agingBuckets,
    ],
    ...people.map((person) => [
      person.user_id,
      person.name,
      person.email,
      person.managers.join('; '),
      named(person.managers, managers),
      named(person.teams, teams),
      person.overdue,
      person.most_days,
      ...person.buckets,
    ]),
  ]
}
