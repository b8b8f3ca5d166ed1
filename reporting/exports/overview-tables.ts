/** The blocks of the Overview as tables: the content of their CSV and XLSX links, from the same data as the screen. */
import type { Overview, RankingRow } from '../metrics/overview.ts'
import { toFields, toTable, type Cell } from './csv.ts'

export const overviewTables = {
  trend: ({ answer: { metrics } }) =>
    toFields(
      ['period_start', 'assigned', 'completed', 'graded', 'became_overdue', 'overdue_at_end'],
      metrics.trend,
    ),
  funnel: ({ answer: { metrics } }) => toFields(['stage', 'count'], metrics.funnel),
  'due-cohorts': ({ due_cohorts }) => toFields(['period_start', 'on_time', 'late', 'open'], due_cohorts),
  aging: ({ answer: { metrics } }) => toFields(['bucket', 'count'], metrics.aging),
  grades: ({ answer: { metrics } }) => toFields(['from', 'to', 'count'], metrics.grade.histogram),
  'by-team': ({ by_team }) => ranking('team', by_team),
  'by-challenge': ({ by_challenge }) => ranking('challenge', by_challenge),
} satisfies Record<string, (overview: Overview) => Cell[][]>
export type OverviewBlock = keyof typeof overviewTables

function ranking(what: string, rows: readonly RankingRow[]): Cell[][] {
  return toTable(
    {
      [`${what}_id`]: ({ id }) => id,
      [`${what}_name`]: ({ name }) => name,
      assigned: ({ assigned }) => assigned,
      completion_rate: ({ completion_rate }) => completion_rate.value,
      completion_numerator: ({ completion_rate }) => completion_rate.numerator,
      completion_denominator: ({ completion_rate }) => completion_rate.denominator,
      on_time_rate: ({ on_time_rate }) => on_time_rate.value,
      on_time_numerator: ({ on_time_rate }) => on_time_rate.numerator,
      on_time_denominator: ({ on_time_rate }) => on_time_rate.denominator,
      overdue: ({ overdue }) => overdue,
      awaiting_grading: ({ awaiting_grading }) => awaiting_grading,
    },
    rows,
  )
}
