/**
 * The table of metrics: everything that `/api/metrics` answers, a row each, with its title, its definition in the words of METRICS.md and
 * its formula. Conditions are data over facts, so one text counts a number, selects the rows of each of its parts (parts.ts), and prints the SQL that
 * explains it (reporting/explain/metric-sql.ts).
 *
 * To add a metric: a row here, its German, METRICS.md, and the independent model of the tests.
 */
import {
  agingFacts,
  any,
  both,
  not,
  statusFacts,
  toTest,
  type Bits,
  type Condition,
  type Fact,
  type FactCount,
  type ScopeFact,
} from './facts.ts'
import type { Instant } from './version.ts'

/** A rate tests its exclusions in their order; the first that holds counts. */
export type RateShape<Reason extends string = string> = {
  readonly of: Condition
  readonly excluded: Readonly<Record<Reason, Condition>>
  readonly numerator: Condition
}

type Lines = Readonly<Record<string, Condition>>

/** The lines of a period in which an assignment is counted. */
export type PeriodLine = 'created' | 'completed' | 'graded' | 'became_overdue' | 'overdue_at_end'

/**
 * From one instant of a version to another, by Kaplan-Meier. Those of `of` that have not `ended` count as far as they have come. `unknown`
 * ones are not measured; each that is without one of the two instants has to be among them.
 */
type DurationShape = { of: Condition; from: Instant; to: Instant; ended: Condition; unknown: Condition }

type Shape =
  | { by: 'count'; of: Condition }
  /** `sameAs`: a fact of scopes that says the numerator; `also`: further parts. */
  | ({ by: 'rate'; sameAs?: ScopeFact; also?: Lines } & RateShape)
  | { by: 'lines'; name: 'bucket' | 'status' | 'stage'; lines: Lines }
  | ({ by: 'duration' } & DurationShape)
  | { by: 'grades'; of: Condition }
  | { by: 'backlog'; of: ScopeFact; partly: Condition }
  /** Its unit is people. */
  | { by: 'people' }
  /** Rates over just these. */
  | { by: 'rates'; of: ScopeFact; rates: Readonly<Record<string, RateShape>> }
  | { by: 'periods'; lines: Readonly<Record<string, { of: PeriodLine; holds: Condition }>> }

/** `says`: the question that it answers, in a plain sentence. */
export type Definition = { title: string; says?: string; definition: string }
export type Metric = Definition & Shape

function rate<const Reason extends string = never>(
  numerator: Condition,
  excluded?: Record<Reason, Condition>,
  of: Condition = 'all',
): { by: 'rate' } & RateShape<Reason> {
  return { by: 'rate', of, excluded: excluded ?? ({} as Record<Reason, Condition>), numerator }
}

const onTime = (due: { known: Fact; late: Fact; inTime: Fact }) =>
  rate(both('completed', due.inTime), {
    no_due_date: not(due.known),
    no_completion_time: both('completed', not('completed_at_known')),
    failed: 'failed',
    awaiting_grading: 'awaiting_grading',
    not_due_yet: both(not('completed'), not(due.late)),
  })
const byCurrent = onTime({ known: 'due_known', late: 'late', inTime: 'completed_in_time' })
const byFirst = onTime({ known: 'first_due_known', late: 'first_late', inTime: 'completed_in_first_time' })

/** Where the life began submitted, a completion in time shows that the hand-in was in time, too. */
const handedInInTime = any('submitted_in_time', both('began_submitted', 'completed_in_time'))
const isPassed = both('graded', 'passed')
const toReview = any('graded', 'awaiting_grading')
const hasGrade = both('graded', 'grade_known')

/** The outcomes of assignments with a due date. Failed ones, and those completed at an unknown time, are none of these. */
export const fellDue = {
  on_time: both('completed', 'completed_in_time'),
  late: any('overdue', both('completed', 'due_known', 'completed_at_known', not('completed_in_time'))),
  open: both('due_known', not(any('completed', 'failed', 'overdue'))),
} as const satisfies Lines

export const metrics = {
  assigned: {
    title: 'Assigned',
    says: 'How many assignments are there?',
    definition: 'Assignments in scope.',
    by: 'count',
    of: 'all',
  },
  completion_rate: {
    title: 'Completion rate',
    says: 'Of everything assigned, how much is completed?',
    definition: 'Completed ÷ assigned.',
    ...rate('completed'),
    sameAs: 'completed',
  },
  people_fully_complete: {
    title: 'People with everything complete',
    says: 'How many people have completed everything assigned to them?',
    definition: 'People who completed everything in scope ÷ people with an assignment in scope.',
    by: 'people',
  },
  on_time_rate: {
    title: 'Completed on time',
    says: 'Of the work that is completed or past its due date, how much was completed on time?',
    definition:
      'Completed on time ÷ assignments that are completed or past their due date. Not counted: no due ' +
      'date, unknown completion time, failed, waiting for a grade, not due yet.',
    ...byCurrent,
    sameAs: 'completed_on_time',
    also: {
      'fell_due.on_time': fellDue.on_time,
      'fell_due.late': fellDue.late,
      'fell_due.open': fellDue.open,
    },
  },
  submitted_on_time_rate: {
    title: 'Submitted on time',
    says: 'Of the work that is submitted or past its due date, how much was submitted on time?',
    definition:
      'Submitted on time ÷ assignments that are submitted or past their due date. Not counted: no due ' +
      'date, failed, not due yet, unknown time of submission (the first event already shows it as ' +
      'submitted, and no time shows that it was on time).',
    ...rate(both('submitted', handedInInTime), {
      no_due_date: not('due_known'),
      failed: 'failed',
      not_due_yet: both(not('submitted'), not('late')),
      unknown: both('submitted', not(handedInInTime), 'began_submitted'),
    }),
  },
  overdue: {
    title: 'Overdue',
    says: 'How many assignments are open and past their due date?',
    definition: 'Open, and the due date has passed.',
    by: 'count',
    of: 'overdue',
  },
  overdue_rate: {
    title: 'Overdue rate',
    says: 'Of the open work with a due date, how much is overdue?',
    definition: 'Overdue ÷ open assignments with a due date.',
    ...rate('overdue', { no_due_date: not('due_known') }, 'open'),
    sameAs: 'overdue',
  },
  aging: {
    title: 'Days overdue',
    says: 'For how many days have assignments been overdue?',
    definition:
      'Overdue assignments by calendar days from the due day to today, in the due zone. The buckets add ' +
      'up to overdue.',
    by: 'lines',
    name: 'bucket',
    lines: agingFacts,
  },
  due_soon: {
    title: 'Due soon',
    says: 'How many open assignments are due in the next days?',
    definition: 'Open, not overdue, and due today or in the next days (7 by default).',
    by: 'count',
    of: 'due_soon',
  },
  statuses: {
    title: 'Status',
    says: 'What is the status of each assignment?',
    definition:
      'The first that applies: completed, failed, waiting for a grade, overdue, in progress (viewed), ' +
      'not started. They add up to assigned.',
    by: 'lines',
    name: 'status',
    lines: statusFacts,
  },
  pass_rate: {
    title: 'Pass rate',
    says: 'Of the graded work, how much passed?',
    definition: 'Passed ÷ graded. Not counted: waiting for a grade.',
    ...rate(isPassed, { awaiting_grading: 'awaiting_grading' }, toReview),
  },
  grade: {
    title: 'Grades',
    says: 'What grades were given, and what is the median?',
    definition:
      'The calculated grade of graded assignments, as sent, if known. The median of an even number is ' +
      'the mean of the middle two. Ten bins; values outside 0-100 are in the end bins.',
    by: 'grades',
    of: hasGrade,
  },
  grading_backlog: {
    title: 'Waiting for a grade',
    says: 'How much is submitted but not graded, and for how long?',
    definition:
      'Submitted, and not graded, completed or failed. Age: time since first seen submitted, as median ' +
      'and oldest. Untouched or partially graded: what the platform reports now.',
    by: 'backlog',
    of: 'awaiting_grading',
    partly: 'partially_graded',
  },
  reviewer_overdue: {
    title: 'Grading overdue',
    says: 'How many grades are past the reviewers’ due date?',
    definition: 'Waiting for a grade, and the reviewers’ due date has passed.',
    by: 'count',
    of: 'reviewer_overdue',
  },
  reviewer_on_time: {
    title: 'Graded on time',
    says: 'How many grades were given before the reviewers’ due date?',
    definition:
      'Graded on time ÷ assignments that are graded or past the reviewers’ due date. Not counted: no ' +
      'reviewers’ due date, unknown time of grading (the first event already shows it as graded), not ' +
      'due yet.',
    ...rate(
      both('graded', 'graded_in_time'),
      {
        no_reviewers_due_date: not('reviewers_due_known'),
        unknown: 'began_graded',
        not_due_yet: both('awaiting_grading', not('reviewers_late')),
      },
      toReview,
    ),
  },
  grading_turnaround: {
    title: 'Grading turnaround',
    says: 'How long does grading take?',
    definition:
      'Time from first seen submitted to first seen graded, by Kaplan-Meier: assignments that still ' +
      'wait count with the time they have waited. Not counted: the first event already shows it as submitted, ' +
      'or one event shows both.',
    by: 'duration',
    of: toReview,
    from: 'first_submitted_at',
    to: 'first_graded_at',
    ended: 'graded',
    unknown: any('began_submitted', 'submitted_with_grade'),
  },
  time_to_complete: {
    title: 'Time to complete',
    says: 'How long does it take to complete an assignment?',
    definition:
      'Time from assignment to completion, by Kaplan-Meier: all others, including failed ones, count ' +
      'with the time they have been open. Not counted: unknown completion time or creation time.',
    by: 'duration',
    of: 'all',
    from: 'created_at',
    to: 'completed_at',
    ended: 'completed',
    unknown: any('created_assumed', both('completed', not('completed_at_known'))),
  },
  funnel: {
    title: 'Funnel',
    says: 'How many reach each step, from assigned to passed?',
    definition:
      'Assigned, viewed, started (percentage above 0 or in progress), submitted, graded, passed. An ' +
      'assignment at one step also counts in the steps before it.',
    by: 'lines',
    name: 'stage',
    lines: {
      assigned: 'all',
      viewed: 'viewed',
      started: 'started',
      submitted: 'submitted',
      graded: 'graded',
      passed: isPassed,
    },
  },
  cohorts: {
    title: 'Cohorts',
    says: 'Of the work assigned in a period, how much is completed by now?',
    definition: 'Assignments by the period of their creation, and how many of them are completed.',
    by: 'periods',
    lines: { assigned: { of: 'created', holds: 'all' }, completed: { of: 'created', holds: 'completed' } },
  },
  trend: {
    title: 'Trend',
    says: 'How much was assigned, completed, graded and overdue in each day, week or month?',
    definition:
      'Assignments in scope, per period: assigned by creation time, completed by completion time, ' +
      'graded by first seen graded, how often one became overdue, and how many were overdue at the end ' +
      'of the period.',
    by: 'periods',
    lines: {
      assigned: { of: 'created', holds: 'all' },
      completed: { of: 'completed', holds: 'completed' },
      graded: { of: 'graded', holds: 'graded' },
      became_overdue: { of: 'became_overdue', holds: 'all' },
      overdue_at_end: { of: 'overdue_at_end', holds: 'all' },
    },
  },
  deadline_moves: {
    title: 'Due dates moved',
    says: 'How many due dates were moved, and how does that change completion on time?',
    definition:
      'Assignments whose due date differs from the first known one (a removed date differs), and how ' +
      'many of them were completed on time, by the first and by the current due date.',
    by: 'rates',
    of: 'deadline_moved',
    rates: { on_time_by_first: byFirst, on_time_by_current: byCurrent },
  },
  reported_mismatch: {
    title: 'Overdue differs from the platform',
    says: 'Where do the platform and Rollcall disagree about overdue?',
    definition: 'The platform reports whether an assignment is overdue, and Rollcall’s definition disagrees.',
    by: 'count',
    of: 'reported_mismatch',
  },
} as const satisfies Record<string, Metric>

export type MetricKey = keyof typeof metrics
export const metricKeys = Object.keys(metrics) as [MetricKey, ...MetricKey[]]

export const metricOf = (key: MetricKey): Metric => metrics[key]

export type DurationKey = {
  [Key in MetricKey]: (typeof metrics)[Key]['by'] extends 'duration' ? Key : never
}[MetricKey]

export const durationKeys = metricKeys.filter((key): key is DurationKey => metrics[key].by === 'duration')

/** Where each that counts in a duration belongs. */
export const partsOfDuration = ({
  of,
  ended,
  unknown,
}: DurationShape): Record<'n' | 'censored' | 'unknown', Condition> => ({
  n: both(of, ended, not(unknown)),
  censored: both(of, not(ended), not(unknown)),
  unknown: both(of, unknown),
})

const kinds = {
  count: 'count',
  rate: 'rate',
  people: 'rate',
  duration: 'duration',
  lines: 'list',
  periods: 'list',
  grades: 'object',
  backlog: 'object',
  rates: 'object',
} as const satisfies Record<Metric['by'], string>

/** The kind of a metric's answer. */
export const kindOf = (key: MetricKey): (typeof kinds)[Metric['by']] => kinds[metrics[key].by]

/** `value` is 0..1, or `null` ("no data") where the denominator is 0. `excluded` names every reason, zeros too. */
export type Rate<Reason extends string = never> = {
  value: number | null
  numerator: number
  denominator: number
  excluded: Record<Reason, number>
}

export function countWhere(facts: readonly FactCount[], condition: Condition): number {
  const isSo = toTest(condition)
  return facts.reduce((sum, each) => (isSo(each, 0) ? sum + each.n : sum), 0)
}

export function toRate<Reason extends string>(
  facts: readonly FactCount[],
  shape: RateShape<Reason>,
): Rate<Reason> {
  const rate = createRate(shape)
  const sums: number[] = []
  for (const each of facts) {
    const part = rate.partOf(each)
    sums[part] = (sums[part] ?? 0) + each.n
  }
  return rate.of(sums)
}

/** Each assignment is in one part: 0 outside, 1 in the numerator, 2 in the denominator alone, from 3 on left out, by reason. */
export function createRate<Reason extends string>(shape: RateShape<Reason>) {
  const [isOf, isNumerator] = [toTest(shape.of), toTest(shape.numerator)]
  const reasons = Object.keys(shape.excluded) as Reason[]
  const tests = reasons.map((reason) => toTest(shape.excluded[reason]))
  return {
    partOf(bits: Bits): number {
      if (!isOf(bits, 0)) return 0
      const reason = tests.findIndex((isSo) => isSo(bits, 0))
      return reason >= 0 ? 3 + reason : isNumerator(bits, 0) ? 1 : 2
    },
    of(sums: readonly number[]): Rate<Reason> {
      const numerator = sums[1] ?? 0
      const denominator = numerator + (sums[2] ?? 0)
      const excluded = Object.fromEntries(reasons.map((reason, index) => [reason, sums[3 + index] ?? 0]))
      return {
        value: toRatio(numerator, denominator),
        numerator,
        denominator,
        excluded: excluded as Record<Reason, number>,
      }
    },
  }
}

export function toRatio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator
}
