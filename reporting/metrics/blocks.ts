/** The blocks that metrics and the Overview are computed from. */
import { z } from 'zod'
import type { Duration } from '../../schemas/metrics/answer.ts'
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

export type Blocks = {
  facts: [bits: string, n: number][]
  /** People in scope, and those of them who have completed everything. */
  people: [all: number, complete: number]
  challenges: [id: string, bits: string, n: number][]
  /** By set of teams. */
  team_sets: [teams: string[], bits: string, n: number][]
  days: [kind: DayKind, date: string, n: number][]
  /** By the first day of the week of the due day, as far as the engine has days. */
  due_weeks: [day: string, bits: string, n: number][]
  backlog: [n: number, lower: number | null, upper: number | null, maximum: number | null]
  grades: [
    n: number,
    sum: number | null,
    lower: number | null,
    upper: number | null,
    bins: Record<string, number>,
  ]
  durations: Record<DurationKey, MeasuredDuration>
  /** Epoch ms. */
  complete_through: number | null
} & PageBlocks

/** Without the parts of a page besides its numbers. */
export type NumberBlocks = Omit<Blocks, keyof PageBlocks | 'complete_through'>

export const namesSchema = z.array(
  z
    // `kind`: `challenge`, `team` or the parameter of an attribute.
    .object({ kind: z.string(), id: z.string(), name: z.string() })
    .transform(({ kind, id, name }): [string, string, string] => [kind, id, name]),
)
/** The parts of a page besides its numbers. */
export type PageBlocks = {
  names: z.infer<typeof namesSchema>
  is_sample: boolean
  has_challenge_events: boolean
  /** Newest event, newest failed one, failed today, unrecognised today, events of the last hour; 0 = none. */
  received: [number | null, number | null, number | null, number | null, number | null]
}

/** `counts`: facts and people only, much quicker from memory. `overview`: also rankings, due cohorts, names and arrivals. */
export type Detail = 'counts' | 'metrics' | 'overview'
