/**
 * What a metric's number is made of: its numerator, its denominator, what is left out and why, or its lines. From the same rules
 * that count them, so that a part and the number cannot disagree. Parts of which the store keeps no facts have none here.
 */
import {
  agingBuckets,
  effectiveStatuses,
  funnelStages,
  type Metrics,
  type Period,
} from '../../schemas/metrics/answer.ts'
import { toPeriodStart } from '../../schemas/metrics/calendar.ts'
import { agingFacts, type Fact, type Has } from '../../schemas/metrics/fact-bits.ts'
import {
  everything,
  funnelPredicates,
  fellDue,
  rateRules,
  type Predicate,
  type RateRule,
} from '../../schemas/metrics/registry.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toCalendarDate } from '../scope/instants.ts'

/** What narrows a scope to a part by its own parameters, where they can say it. */
export type Narrow = Partial<Pick<Scope, 'fact' | 'status' | 'aging'>>

/** What else than facts decides about a line of a list: a day in the period that begins then, or the grade. */
export type Line =
  | { of: 'created' | 'completed' | 'graded' | 'became_overdue' | 'overdue_at_end'; start: string }
  | { of: 'bin'; bin: number }

export type Part = { name: string; holds: Predicate; narrow?: Narrow; line?: Line }

const whole: Part = { name: 'all', holds: everything, narrow: {} }

function factPart(name: string, fact: Fact & Scope['fact'][number]): Part {
  return { name, holds: (has) => has(fact), narrow: { fact: [fact] } }
}

function ratePart(rule: RateRule<string>, numerator?: Narrow, of: Predicate = everything, prefix = ''): Part[] {
  const isOf: Predicate = (has) => of(has) && rule.of(has)
  const reasonOf = (has: Has) => rule.excluded.find(([, holds]) => holds(has))?.[0]
  const isCounted: Predicate = (has) => isOf(has) && reasonOf(has) === undefined
  const isWhole = rule.excluded.length === 0 && rule.of === everything
  return [
    {
      name: `${prefix}numerator`,
      holds: (has) => isCounted(has) && rule.numerator(has),
      ...(numerator !== undefined && { narrow: numerator }),
    },
    { name: `${prefix}denominator`, holds: isCounted, ...(isWhole && { narrow: {} }) },
    { name: `${prefix}remainder`, holds: (has) => isCounted(has) && !rule.numerator(has) },
    ...rule.excluded.map(([reason]): Part => ({
      name: `${prefix}excluded.${reason}`,
      holds: (has) => isOf(has) && reasonOf(has) === reason,
    })),
  ]
}

const isMoved: Predicate = (has) => has('deadline_moved')
const isGradedOrAwaiting: Predicate = (has) => has('graded') || has('awaiting_grading')
const hasNoWait: Predicate = (has) => has('created_assumed') || (has('completed') && !has('completed_at_known'))
const hasNoTurnaround: Predicate = (has) => has('began_submitted') || has('submitted_with_grade')

export const metricParts: { [Key in keyof Metrics]: readonly Part[] } = {
  assigned: [{ ...whole, name: 'value' }],
  completion_rate: ratePart(rateRules.completion_rate, { fact: ['completed'] }),
  // Its unit is people.
  people_fully_complete: [],
  on_time_rate: [
    ...ratePart(rateRules.on_time_rate, { fact: ['completed_on_time'] }),
    { name: 'fell_due.on_time', holds: fellDue.on_time },
    { name: 'fell_due.late', holds: fellDue.late },
    { name: 'fell_due.open', holds: fellDue.open },
  ],
  submitted_on_time_rate: ratePart(rateRules.submitted_on_time_rate),
  overdue: [factPart('value', 'overdue')],
  overdue_rate: ratePart(rateRules.overdue_rate, { fact: ['overdue'] }),
  aging: agingBuckets.map((bucket) => ({
    name: bucket,
    holds: (has) => has(agingFacts[bucket]),
    narrow: { aging: [bucket] },
  })),
  due_soon: [factPart('value', 'due_soon')],
  statuses: effectiveStatuses.map((status) => ({
    name: status,
    holds: (has) => has(status),
    narrow: { status: [status] },
  })),
  pass_rate: ratePart(rateRules.pass_rate),
  grade: [{ name: 'n', holds: (has) => has('graded') && has('grade_known') }],
  grading_backlog: [
    factPart('value', 'awaiting_grading'),
    { name: 'untouched', holds: (has) => has('awaiting_grading') && !has('partially_graded') },
    { name: 'partially_graded', holds: (has) => has('awaiting_grading') && has('partially_graded') },
  ],
  reviewer_overdue: [factPart('value', 'reviewer_overdue')],
  reviewer_on_time: ratePart(rateRules.reviewer_on_time),
  grading_turnaround: [
    { name: 'n', holds: (has) => has('graded') && !hasNoTurnaround(has) },
    { name: 'censored', holds: (has) => has('awaiting_grading') && !has('graded') && !hasNoTurnaround(has) },
    { name: 'unknown', holds: (has) => isGradedOrAwaiting(has) && hasNoTurnaround(has) },
  ],
  time_to_complete: [
    { name: 'n', holds: (has) => has('completed') && !hasNoWait(has) },
    { name: 'censored', holds: (has) => !has('completed') && !hasNoWait(has) },
    { name: 'unknown', holds: hasNoWait },
  ],
  funnel: funnelStages.map((stage) => ({ name: stage, holds: funnelPredicates[stage] })),
  // Their lines are periods; the SQL says which assignments are in which.
  cohorts: [],
  trend: [],
  deadline_moves: [
    factPart('value', 'deadline_moved'),
    ...ratePart(rateRules.on_time_by_first, undefined, isMoved, 'on_time_by_first.'),
    ...ratePart(rateRules.on_time_rate, undefined, isMoved, 'on_time_by_current.'),
  ],
  reported_mismatch: [factPart('value', 'reported_mismatch')],
}

const trendLines = {
  assigned: { of: 'created', holds: everything },
  completed: { of: 'completed', holds: (has) => has('completed') },
  graded: { of: 'graded', holds: (has) => has('graded') },
  became_overdue: { of: 'became_overdue', holds: everything },
  overdue_at_end: { of: 'overdue_at_end', holds: everything },
} as const satisfies Record<string, { of: Line['of']; holds: Predicate }>

const cohortLines = {
  assigned: trendLines.assigned,
  completed: { of: 'created', holds: (has) => has('completed') },
} as const satisfies Record<string, { of: Line['of']; holds: Predicate }>

/** A part by its name: one of `metricParts`, a line of a list of periods (`2026-11-16.graded`), or a bin of grades (`bin.70`). */
export function findPart(metric: keyof Metrics, name: string, period: Period): Part | undefined {
  const listed = metricParts[metric].find((part) => part.name === name)
  if (listed !== undefined) return listed
  const bin = /^bin\.([0-9])0$|^bin\.0$/.exec(name)
  if (metric === 'grade' && bin !== null) {
    return { name, holds: (has) => has('graded') && has('grade_known'), line: { of: 'bin', bin: Number(bin[1] ?? 0) } }
  }
  const [start = '', kind = ''] = name.split('.')
  const lines: Partial<Record<string, { of: Exclude<Line['of'], 'bin'>; holds: Predicate }>> =
    metric === 'trend' ? trendLines : metric === 'cohorts' ? cohortLines : {}
  const line = lines[kind]
  if (line === undefined || toCalendarDate(start) === undefined || name !== `${start}.${kind}`) return undefined
  if (toPeriodStart(period, start) !== start) return undefined
  return { name, holds: line.holds, line: { of: line.of, start } }
}

/** How the numbers of a kind are computed from its parts. */
export const formulas: { [Key in keyof Metrics]: string } = {
  assigned: 'value = number of assignments in scope',
  completion_rate: 'value = numerator / denominator; numerator = completed, denominator = all in scope',
  people_fully_complete:
    'value = numerator / denominator, in people; numerator = those with nothing in scope that is not completed',
  on_time_rate:
    'value = numerator / denominator; denominator = all in scope − everything excluded, numerator = of these, completed before late from',
  submitted_on_time_rate:
    'value = numerator / denominator; denominator = all in scope − everything excluded, numerator = of these, first seen submitted before late from',
  overdue: 'value = open, due date known, late from <= the moment',
  overdue_rate: 'value = numerator / denominator; denominator = open ones − excluded, numerator = of these, overdue',
  aging: 'overdue ones by calendar days since the due day; the buckets add up to overdue',
  due_soon: 'value = open, not overdue, due today or within due_soon_days days',
  statuses: 'every assignment in scope once, by the first status that holds; they add up to assigned',
  pass_rate: 'value = numerator / denominator; denominator = graded, numerator = of these, passed',
  grade: 'mean = sum / n; median = the middle, or the mean of the middle two; over graded ones with a known grade',
  grading_backlog: 'value = untouched + partially_graded; ages = the moment − first seen submitted',
  reviewer_overdue: 'value = awaiting grading, reviewers’ due date known, late from by it <= the moment',
  reviewer_on_time:
    'value = numerator / denominator; denominator = graded or awaiting ones − everything excluded, numerator = of these, first seen graded before late from',
  grading_turnaround:
    'S(t) = product over times u <= t of (1 − ended at u / still waiting at u); p50 = smallest t with S(t) <= 0.5, p90 with S(t) <= 0.1',
  time_to_complete:
    'S(t) = product over times u <= t of (1 − completed at u / still open at u); p50 = smallest t with S(t) <= 0.5, p90 with S(t) <= 0.1',
  funnel: 'assignments that have reached each stage; each stage implies the ones before',
  cohorts: 'assignments by the period of createdAt, and how many of those are completed',
  trend: 'per period: created, completed, first seen graded, turned overdue in it, and overdue at its end',
  deadline_moves: 'value = due date differs from the first known one; both rates as on_time_rate over just these',
  reported_mismatch: 'value = isOverdue was sent and differs from overdue',
}
