/** The figures of the Overdue page as tables: the content of their CSV and XLSX links, from the same data as the screen. */
import { agingBuckets } from '../../../schemas/metrics/answer.ts'
import type { LateGroup, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { toFields, toTable, type Cell } from '../../../reporting/exports/csv.ts'

export const overdueTables = {
  aging: ({ aging }) => toFields(['bucket', 'count'], aging),
  'by-manager': ({ by_manager }) => toGroups('manager', by_manager),
  'by-team': ({ by_team }) => toGroups('team', by_team),
  'due-days': ({ due_days }) => toFields(['day', 'due', 'handed_in', 'failed', 'open'], due_days),
  people: toPeople,
} satisfies Record<string, (overdue: Overdue) => Cell[][]>
export type OverdueTable = keyof typeof overdueTables

function toGroups(what: string, groups: readonly LateGroup[]): Cell[][] {
  return toTable(
    {
      [`${what}_id`]: ({ id }) => id,
      [`${what}_name`]: ({ name }) => name,
      overdue: ({ overdue }) => overdue,
      people: ({ people }) => people.length,
      most_days_overdue: ({ most_days }) => most_days,
    },
    groups,
  )
}

function toPeople({ people, by_manager, by_team }: Overdue): Cell[][] {
  const toNames = (groups: readonly LateGroup[], ids: readonly string[]) =>
    ids.map((id) => groups.find((group) => group.id === id)?.name || id).join('; ')
  return toTable<LatePerson>(
    {
      user_id: ({ user_id }) => user_id,
      user_name: ({ name }) => name,
      email: ({ email }) => email,
      manager_ids: ({ managers }) => managers.join('; '),
      managers: ({ managers }) => toNames(by_manager, managers),
      teams: ({ teams }) => toNames(by_team, teams),
      overdue: ({ overdue }) => overdue,
      most_days_overdue: ({ most_days }) => most_days,
      ...Object.fromEntries(agingBuckets.map((name, at) => [name, ({ buckets }: LatePerson) => buckets[at] ?? 0])),
    },
    people,
  )
}
