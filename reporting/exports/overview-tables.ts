/** The blocks of the Overview as tables: the content of their CSV and XLSX links, from the same data as the screen. */
import type { Rate } from '../../schemas/metrics/answer.ts'
import type { Overview, RankingRow } from '../metrics/overview.ts'
import type { Cell } from './csv.ts'

export const overviewBlocks = ['trend', 'funnel', 'due-cohorts', 'aging', 'grades', 'by-team', 'by-challenge'] as const
export type OverviewBlock = (typeof overviewBlocks)[number]

export function isOverviewBlock(name: string): name is OverviewBlock {
  return (overviewBlocks as readonly string[]).includes(name)
}

export function blockRows(overview: Overview, block: OverviewBlock): Cell[][] {
  const { metrics } = overview.answer
  switch (block) {
    case 'trend':
      return table(
        ['period_start', 'assigned', 'completed', 'graded', 'became_overdue', 'overdue_at_end'],
        metrics.trend,
      )
    case 'funnel':
      return table(['stage', 'count'], metrics.funnel)
    case 'due-cohorts':
      return table(['period_start', 'on_time', 'late', 'open'], overview.due_cohorts)
    case 'aging':
      return table(['bucket', 'count'], metrics.aging)
    case 'grades':
      return table(['from', 'to', 'count'], metrics.grade.histogram)
    case 'by-team':
      return ranking('team', overview.by_team)
    case 'by-challenge':
      return ranking('challenge', overview.by_challenge)
  }
}

function table<Row extends object>(columns: (keyof Row & string)[], rows: Row[]): Cell[][] {
  return [columns, ...rows.map((row) => columns.map((column) => row[column] as Cell))]
}

function ranking(what: string, rows: RankingRow[]): Cell[][] {
  const rate = (r: Rate<string>): Cell[] => [r.value, r.numerator, r.denominator]
  return [
    [
      `${what}_id`,
      `${what}_name`,
      'assigned',
      'completion_rate',
      'completion_numerator',
      'completion_denominator',
      'on_time_rate',
      'on_time_numerator',
      'on_time_denominator',
      'overdue',
      'awaiting_grading',
    ],
    ...rows.map((row) => [
      row.id,
      row.name,
      row.assigned,
      ...rate(row.completion_rate),
      ...rate(row.on_time_rate),
      row.overdue,
      row.awaiting_grading,
    ]),
  ]
}
