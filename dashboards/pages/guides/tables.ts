/** The rankings of the Guides page as tables: the content of their CSV and XLSX links. */
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import type { GuidesAnswer } from '../../../schemas/answers/guides.ts'
import type { GuideRowPage } from '../../../reporting/statements/guides.ts'
import { toTable, type Cell, type TableColumns } from '../../../reporting/exports/csv.ts'

const numbers: TableColumns<GuideMetrics> = {
  assigned: ({ assigned }) => assigned.value,
  completed: ({ completed }) => completed.value,
  completion_rate: ({ completion_rate }) => completion_rate.value,
  on_time_rate: ({ on_time_rate }) => on_time_rate.value,
  on_time_numerator: ({ on_time_rate }) => on_time_rate.numerator,
  on_time_denominator: ({ on_time_rate }) => on_time_rate.denominator,
  overdue: ({ overdue }) => overdue.value,
}

export const guideTables = {
  'by-guide': ({ by_guide }) =>
    toTable({ guide_id: ({ guide_id }) => guide_id, guide: ({ guide }) => guide, ...numbers }, by_guide),
  'by-team': ({ by_team }) =>
    toTable({ team_id: ({ team_id }) => team_id, team: ({ team }) => team, ...numbers }, by_team),
} satisfies Record<string, (guides: GuidesAnswer) => Cell[][]>

export function guideAssignmentRows({ rows }: GuideRowPage): Cell[][] {
  return toTable(
    {
      assignment_id: (row) => row.assignment_id,
      guide_id: (row) => row.guide_id,
      guide: (row) => row.guide,
      user_id: (row) => row.user_id,
      user_name: (row) => row.user_name,
      completed: (row) => String(row.completed),
      overdue: (row) => String(row.overdue),
      due_date: (row) => row.due_date,
      completed_at: (row) => row.completed_at,
    },
    rows,
  )
}
