/** The blocks that metrics and the Overview are computed from. */
import type { Duration, Metrics } from '../../schemas/metrics/answer.ts'
import type { FactCount } from '../../schemas/metrics/facts.ts'
import type { DurationKey } from '../../schemas/metrics/metrics.ts'

export const dayKinds = [
  'created',
  /** Of those, the ones that are completed by now. */
  'created_completed',
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
  days: Record<DayKind, [date: string, n: number][]>
  /** By the first day of the week of the due day, as far as the engine has days. */
  due_weeks: Line[]
  ages: Pick<Metrics['grading_backlog'], 'p50_age_ms' | 'oldest_age_ms'>
  grade: Metrics['grade']
  durations: Record<DurationKey, MeasuredDuration>
}

/** `complete_through`: epoch ms. */
export type CompleteBlocks = Blocks & { complete_through: number | null }

/** `counts`: facts and people only, much quicker from memory. `overview`: also rankings and due cohorts. */
export type Detail = 'counts' | 'metrics' | 'overview'
