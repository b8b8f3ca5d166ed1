/** Changes between two moments: their kinds with rules, their causes, and the questions about them (METRICS.md). */
import type { Fact } from '../../schemas/metrics/facts.ts'

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

/** A condition of a rule on the two sides of a change, beside facts. */
export type ChangeFlag =
  | 'was_there'
  | 'is_there'
  | 'was_in_scope'
  | 'is_in_scope'
  | 'is_due_moved'
  | 'is_other_grade'
  | 'is_passed_otherwise'

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

/** The last change before a page: its moment, and the key of its assignment. */
export type ChangeCursor = { changed_ms: number; akey: string }

export type ChangesArgs = {
  /** Only changes of one of these kinds by one of these causes; none: all. */
  kinds: readonly ChangeKind[]
  causes: readonly ChangeCause[]
  /** `null`: from the beginning. */
  after: ChangeCursor | null
  limit: number
}

type GroupCount = { id: string; n: number }

/** `by_team`: someone in two teams counts in both, nobody's team is the empty id. Most first. */
export type ChangeCount = {
  kind: ChangeKind
  n: number
  causes: Record<ChangeCause, number>
  by_team: GroupCount[]
  by_challenge: GroupCount[]
}

/** `total`: assignments that changed; one that changed in several ways is in the counts of each. Kinds with any. */
export type ChangeCounts = { total: number; kinds: ChangeCount[] }
