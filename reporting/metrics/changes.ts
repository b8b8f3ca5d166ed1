/** Changes between two moments: their kinds with rules, their causes, and the questions about them (METRICS.md). */
import { z } from 'zod'
import type { Fact } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { flagSchema } from '../../schemas/instant.ts'

/** In the order of their bits. Several may hold; `other` stands alone. */
export const changeKinds = [
  'assigned',
  'became_overdue',
  'no_longer_overdue',
  'handed_in',
  'graded',
  'completed',
  'failed',
  'regraded',
  'reopened',
  'deadline_moved',
  'removed',
  'came_into_scope',
  'left_scope',
  'other',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** METRICS.md, Cause of a change. */
export const changeCauses = ['event', 'time', 'people'] as const
export type ChangeCause = (typeof changeCauses)[number]

/** Kinds that follow from the state or due date of an assignment in scope at the later moment, whether or not it was before. */
export const briefKinds = [
  'assigned',
  'became_overdue',
  'completed',
  'failed',
  'regraded',
  'deadline_moved',
] as const satisfies readonly ChangeKind[]

export type BetweenArgs = {
  /** The same scope as of the earlier moment, and the people under its managers then. */
  before: Scope
  underBefore: readonly string[]
  scope: Scope
  under: readonly string[]
}

/** A condition of a rule on the two sides of a change, beside facts. */
export type ChangeFlag =
  'was_there' | 'is_there' | 'was_in_scope' | 'is_in_scope' | 'is_due_moved' | 'is_other_grade' | 'is_passed_otherwise'

/** `gained`: true at the later moment only; `lost`: at the earlier only; `kept`: at both. */
export type ChangeRule =
  | { readonly gained: Fact }
  | { readonly lost: Fact }
  | { readonly kept: Fact }
  | { readonly is: ChangeFlag }
  | { readonly isNot: ChangeFlag }
  | { readonly any: readonly ChangeFlag[] }

const [isInScope, wasInScope] = [{ is: 'is_in_scope' }, { is: 'was_in_scope' }] as const
/** All that has to hold. */
export const kindRules: Record<Exclude<ChangeKind, 'other'>, readonly ChangeRule[]> = {
  assigned: [isInScope, { isNot: 'was_there' }],
  became_overdue: [isInScope, { gained: 'overdue' }],
  no_longer_overdue: [isInScope, { lost: 'overdue' }],
  handed_in: [isInScope, { gained: 'submitted' }],
  graded: [isInScope, { gained: 'graded' }],
  completed: [isInScope, { gained: 'completed' }],
  failed: [isInScope, { gained: 'failed' }],
  regraded: [isInScope, { kept: 'graded' }, { any: ['is_other_grade', 'is_passed_otherwise'] }],
  reopened: [isInScope, { lost: 'completed' }],
  deadline_moved: [isInScope, { is: 'was_there' }, { is: 'is_due_moved' }],
  removed: [wasInScope, { isNot: 'is_there' }],
  came_into_scope: [isInScope, { isNot: 'was_in_scope' }, { is: 'was_there' }],
  left_scope: [wasInScope, { isNot: 'is_in_scope' }, { is: 'is_there' }],
}
/** Facts that time alone can bring: where one would not hold with the clock held. Assignments come by time at their creation. */
export const byTime: Partial<Record<ChangeKind, Fact>> = {
  became_overdue: 'overdue',
  handed_in: 'submitted',
  graded: 'graded',
  completed: 'completed',
  failed: 'failed',
}
export const bitOf = (kind: ChangeKind): number => 1 << changeKinds.indexOf(kind)
export const moves = bitOf('came_into_scope') | bitOf('left_scope')
export const other = bitOf('other')

export const changedSchema = z.object({
  akey: z.string(),
  assignment_id: z.string(),
  user_id: z.string(),
  challenge_id: z.string(),
  was_there: flagSchema,
  is_there: flagSchema,
  facts_before: z.string(),
  facts_after: z.string(),
  due_before: z.coerce.number(),
  due_after: z.coerce.number(),
  grade_before: z.number().nullable(),
  grade_after: z.number().nullable(),
  was_in_scope: flagSchema,
  is_in_scope: flagSchema,
  kinds: z.number(),
  by_event: z.number(),
  by_time: z.number(),
  by_people: z.number(),
  /** When the event came that changed it, or its due date; 0: there is no such moment. */
  changed_ms: z.coerce.number(),
  total: z.coerce.number(),
})
export type Changed = z.infer<typeof changedSchema>

export type ChangesArgs = BetweenArgs & {
  /** Only changes of one of these kinds by one of these causes; none: all. */
  kinds: readonly ChangeKind[]
  causes: readonly ChangeCause[]
  /** The last one before; `null`: from the beginning. */
  after: ChangeCursor | null
  limit: number
}

export type ChangeCursor = Pick<Changed, 'changed_ms' | 'akey'>

export const changeCountedSchema = z.object({
  kind: z.number(),
  dimension: z.enum(['all', 'cause', 'challenge', 'team']),
  /** The causes, where the dimension is `cause`. */
  ids: z.array(z.string()),
  n: z.coerce.number(),
})
export type ChangeCounted = z.infer<typeof changeCountedSchema>
