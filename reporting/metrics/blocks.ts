/** The blocks that metrics and the Overview are computed from. */
import type { Duration } from '../../schemas/metrics/answer.ts'
import type { FactCount } from '../../schemas/metrics/facts.ts'
import type { DurationKey } from '../../schemas/metrics/metrics.ts'

export const dayKinds = [
  'assigned_completed',
  'assigned_other',
  'completed',
  'graded',
  'overdue_began',
  'overdue_turned',
  'overdue_ended',
] as const
export type DayKind = (typeof dayKinds)[number]

export type MeasuredDuration = Omit<Duration, 'unknown'>

/**
 * Assignments of the same challenge, person, list of teams or week: their facts of `rankingMask`, and their final grades if these are
 * wanted. `people`: those with such assignments, for lines of sets of people and of single ones; else 0.
 */
export type Line = { ids: readonly string[]; facts: FactCount[]; grades: number[]; people: number }

export type Blocks = {
  facts: FactCount[]
  /** People in scope, and those of them who have completed everything. */
  people: [all: number, complete: number]
  challenges: Line[]
  /** By list of teams. */
  team_sets: Line[]
  days: [kind: DayKind, date: string, n: number][]
  /** By the first day of the week of the due day, as far as the engine has days. */
  due_weeks: Line[]
  backlog: [n: number, lower: number | null, upper: number | null, maximum: number | null]
  grades: [
    n: number,
    sum: number | null,
    lower: number | null,
    upper: number | null,
    bins: Record<string, number>,
  ]
  durations: Record<DurationKey, MeasuredDuration>
}

/** `complete_through`: epoch ms. */
export type CompleteBlocks = Blocks & { complete_through: number | null }

/** `counts`: facts and people only, much quicker from memory. `overview`: also rankings and due cohorts. */
export type Detail = 'counts' | 'metrics' | 'overview'
