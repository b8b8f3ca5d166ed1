/** The rankings of the Guides page as tables: the content of their CSV and XLSX links. */
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import type { GuidesAnswer } from '../../../reporting/queries/guides.ts'
import type { GuideRowPage } from '../../../reporting/statements/guides.ts'
import type { Cell } from '../../../reporting/exports/csv.ts'

export const guideTables = ['by-guide', 'by-team'] as const
export type GuideTable = (typeof guideTables)[number]

export function guideRows({ by_guide, by_team }: GuidesAnswer, table: GuideTable): Cell[][] {
  const head = (what: string) => [
    `${what}_id`,
    what,
    'assigned',
    'completed',
    'completion_rate',
    'on_time_rate',
    'on_time_numerator',
    'on_time_denominator',
    'overdue',
  ]
  return table === 'by-guide'
    ? [head('guide'), ...by_guide.map((row) => [row.guide_id, row.guide, ...toCells(row)])]
    : [head('team'), ...by_team.map((row) => [row.team_id, row.team, ...toCells(row)])]
}

export function guideAssignmentRows({ rows }: GuideRowPage): Cell[][] {
  return [
    ['assignment_id', 'guide_id', 'guide', 'user_id', 'user_name', 'completed', 'overdue', 'due_date', 'completed_at'],
    ...rows.map((row) => [
      row.assignment_id,
      row.guide_id,
      row.guide,
      row.user_id,
      row.user_name,
      String(row.completed),
      String(row.overdue),
      row.due_date,
      row.completed_at,
    ]),
  ]
}

function toCells({ assigned, completed, completion_rate, on_time_rate, overdue }: GuideMetrics): Cell[] {
  return [
    assigned.value,
    completed.value,
    completion_rate.value,
    on_time_rate.value,
    on_time_rate.numerator,
    on_time_rate.denominator,
    overdue.value,
  ]
}
