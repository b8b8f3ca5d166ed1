/**
 * How counts and rates follow from the facts of single assignments: the registry shared by `/api/metrics`, pages, exports
 * and rankings. A rate tests its exclusions in the named order; the first one that holds counts.
 */
import { agingBuckets, effectiveStatuses, funnelStages, type FunnelStage, type Metrics, type Rate } from './answer.ts'
import { agingFacts, type Fact, type FactCount, type Has } from './fact-bits.ts'

export type Predicate = (has: Has) => boolean

export type RateRule<Reason extends string> = {
  /** The assignments in scope that the rate covers. */
  of: Predicate
  excluded: readonly [Reason, Predicate][]
  numerator: Predicate
}

const isAwaiting: Predicate = (has) => has('awaiting_grading')
const isPassed: Predicate = (has) => has('graded') && has('passed')
export const everything: Predicate = () => true

/** `on_time_rate`, by the current due date or by the first one. */
function onTimeRule(due: { known: Fact; late: Fact; inTime: Fact }) {
  return {
    of: everything,
    excluded: [
      ['no_due_date', (has) => !has(due.known)],
      ['no_completion_time', (has) => has('completed') && !has('completed_at_known')],
      ['failed', (has) => has('failed')],
      ['awaiting_grading', isAwaiting],
      ['not_due_yet', (has) => !has('completed') && !has(due.late)],
    ],
    numerator: (has) => has('completed') && has(due.inTime),
  } satisfies RateRule<'no_due_date' | 'no_completion_time' | 'failed' | 'awaiting_grading' | 'not_due_yet'>
}

export const rateRules = {
  completion_rate: { of: everything, excluded: [], numerator: (has) => has('completed') } satisfies RateRule<never>,
  on_time_rate: onTimeRule({ known: 'due_known', late: 'late', inTime: 'completed_in_time' }),
  on_time_by_first: onTimeRule({ known: 'first_due_known', late: 'first_late', inTime: 'completed_in_first_time' }),
  submitted_on_time_rate: {
    of: everything,
    excluded: [
      ['no_due_date', (has) => !has('due_known')],
      ['failed', (has) => has('failed')],
      ['not_due_yet', (has) => !has('submitted') && !has('late')],
      ['unknown', (has) => has('submitted') && !wasSubmittedInTime(has) && has('began_submitted')],
    ],
    numerator: (has) => has('submitted') && wasSubmittedInTime(has),
  } satisfies RateRule<'no_due_date' | 'failed' | 'not_due_yet' | 'unknown'>,
  overdue_rate: {
    of: (has) => has('open'),
    excluded: [['no_due_date', (has) => !has('due_known')]],
    numerator: (has) => has('overdue'),
  } satisfies RateRule<'no_due_date'>,
  pass_rate: {
    of: (has) => has('graded') || isAwaiting(has),
    excluded: [['awaiting_grading', isAwaiting]],
    numerator: isPassed,
  } satisfies RateRule<'awaiting_grading'>,
  reviewer_on_time: {
    of: (has) => has('graded') || isAwaiting(has),
    excluded: [
      ['no_reviewers_due_date', (has) => !has('reviewers_due_known')],
      ['unknown', (has) => has('began_graded')],
      ['not_due_yet', (has) => isAwaiting(has) && !has('reviewers_late')],
    ],
    numerator: (has) => has('graded') && has('graded_in_time'),
  } satisfies RateRule<'no_reviewers_due_date' | 'unknown' | 'not_due_yet'>,
}

/** Where the life began submitted, a completion in time shows that the hand-in was in time, too. */
function wasSubmittedInTime(has: Has): boolean {
  return has('submitted_in_time') || (has('began_submitted') && has('completed_in_time'))
}

/** Each implies the ones before; the state bits already say so for viewed, started and submitted. */
export const funnelPredicates: Record<FunnelStage, Predicate> = {
  assigned: everything,
  viewed: (has) => has('viewed'),
  started: (has) => has('started'),
  submitted: (has) => has('submitted'),
  graded: (has) => has('graded'),
  passed: isPassed,
}

/** What became of those with a due date. Failed ones, and those completed at an unknown time, are none of these. */
export const fellDue = {
  on_time: (has) => has('completed') && has('completed_in_time'),
  late: (has) =>
    has('overdue') || (has('completed') && has('due_known') && has('completed_at_known') && !has('completed_in_time')),
  open: (has) => has('due_known') && !has('completed') && !has('failed') && !has('overdue'),
} as const satisfies Record<string, Predicate>

export function countWhere(facts: readonly FactCount[], predicate: Predicate): number {
  return facts.reduce((sum, { has, count }) => (predicate(has) ? sum + count : sum), 0)
}

export function toRate<Reason extends string>(facts: readonly FactCount[], rule: RateRule<Reason>): Rate<Reason> {
  const excluded = Object.fromEntries(rule.excluded.map(([reason]) => [reason, 0])) as Record<Reason, number>
  let numerator = 0
  let denominator = 0
  for (const { has, count } of facts) {
    if (!rule.of(has)) continue
    const reason = rule.excluded.find(([, holds]) => holds(has))?.[0]
    if (reason !== undefined) {
      excluded[reason] += count
      continue
    }
    denominator += count
    if (rule.numerator(has)) numerator += count
  }
  return { value: toRatio(numerator, denominator), numerator, denominator, excluded }
}

export function toRatio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator
}

/** The metrics that are functions of the facts alone. */
export type CountedMetrics = Pick<
  Metrics,
  | 'assigned'
  | 'completion_rate'
  | 'on_time_rate'
  | 'submitted_on_time_rate'
  | 'overdue'
  | 'overdue_rate'
  | 'aging'
  | 'due_soon'
  | 'statuses'
  | 'pass_rate'
  | 'reviewer_overdue'
  | 'reviewer_on_time'
  | 'funnel'
  | 'deadline_moves'
  | 'reported_mismatch'
>

export function toCountedMetrics(facts: readonly FactCount[]): CountedMetrics {
  const value = (predicate: Predicate) => ({ value: countWhere(facts, predicate) })
  const moved = facts.filter(({ has }) => has('deadline_moved'))
  return {
    assigned: value(everything),
    completion_rate: toRate(facts, rateRules.completion_rate),
    on_time_rate: toRate(facts, rateRules.on_time_rate),
    submitted_on_time_rate: toRate(facts, rateRules.submitted_on_time_rate),
    overdue: value((has) => has('overdue')),
    overdue_rate: toRate(facts, rateRules.overdue_rate),
    aging: agingBuckets.map((bucket) => ({ bucket, count: countWhere(facts, (has) => has(agingFacts[bucket])) })),
    due_soon: value((has) => has('due_soon')),
    statuses: effectiveStatuses.map((status) => ({
      status,
      count: countWhere(facts, (has) => has(status)),
    })),
    pass_rate: toRate(facts, rateRules.pass_rate),
    reviewer_overdue: value((has) => has('reviewer_overdue')),
    reviewer_on_time: toRate(facts, rateRules.reviewer_on_time),
    funnel: funnelStages.map((stage) => ({ stage, count: countWhere(facts, funnelPredicates[stage]) })),
    deadline_moves: {
      value: countWhere(moved, everything),
      on_time_by_first: toRate(moved, rateRules.on_time_by_first),
      on_time_by_current: toRate(moved, rateRules.on_time_rate),
    },
    reported_mismatch: value((has) => has('reported_mismatch')),
  }
}
