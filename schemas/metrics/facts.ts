/**
 * The table of facts: everything that can be true of one assignment at one moment, a row each. Three kinds: *stored* ones are bits of the
 * version (state-bits.ts), *primary* ones an expression over the version and the moment, *derived* ones a condition over other facts and
 * the days since the due day.
 *
 * To add a fact, add a row with a bit of `freeBits`. METRICS.md says the same in words.
 */
import { and, atMost, classIs, key, known, less, now, type Expression } from './expression.ts'
import { stateBits, type StateFact } from './state-bits.ts'
import type { Instant } from './version.ts'

export type Condition =
  | Fact
  | 'all'
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  /** Calendar days since the due day in the due zone, both ends inclusive; only beside a fact that knows the due date. */
  | { readonly days: readonly [from: number | 'due_soon_days', to: number] }

export const both = (...conditions: Condition[]): Condition => ({ and: conditions })
export const any = (...conditions: Condition[]): Condition => ({ or: conditions })
export const not = (condition: Condition): Condition => ({ not: condition })
const days = (from: number | 'due_soon_days', to: number): Condition => ({ days: [from, to] })

/** `column`: how the analysts' views say it. Default: by the expression behind it, else by the name. */
type Primary = {
  readonly bit: number
  readonly is: Expression
  readonly column?: string
  /** The due date that is known and past: the one way in which time decides a primary fact. */
  readonly due?: Instant
}
type Derived = { readonly bit: number; readonly follows: Condition; readonly column?: string }

/** The bits of primary and derived facts begin at 24, after the stored ones, and end at 63. These belong to no fact. */
export const freeBits: readonly number[] = [33, 34, 35, 47, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]

/** Late at the moment, whatever the state. */
const late = (due: Instant) => ({ is: and(known(due), less(key(due), now)), due })
/** Before late from, whatever the state. */
const inTime = (done: Instant, due: Instant) => and(known(done), known(due), atMost(key(done), key(due)))

const primary = {
  late: { bit: 24, ...late('due_date') },
  due_known: { bit: 27, is: known('due_date') },
  first_due_known: { bit: 28, is: known('first_due_date') },
  reviewers_due_known: { bit: 29, is: known('reviewers_due_date') },
  completed_at_known: { bit: 30, is: known('completed_at') },
  open: { bit: 31, is: classIs(0), column: 'open' },
  awaiting_grading: { bit: 32, is: classIs(1), column: 'awaiting_grading' },
  first_late: { bit: 36, ...late('first_due_date') },
  reviewers_late: { bit: 37, ...late('reviewers_due_date') },
  completed_in_time: { bit: 38, is: inTime('completed_at', 'due_date') },
  completed_in_first_time: { bit: 39, is: inTime('completed_at', 'first_due_date') },
  submitted_in_time: { bit: 40, is: inTime('first_submitted_at', 'due_date') },
  graded_in_time: { bit: 41, is: inTime('first_graded_at', 'reviewers_due_date') },
} as const satisfies Record<string, Primary>
type PrimaryFact = keyof typeof primary

type AgingFact = 'aging_1_7' | 'aging_8_14' | 'aging_15_30' | 'aging_31_60' | 'aging_61_90' | 'aging_91'
type DerivedFact =
  | 'overdue'
  | 'due_soon'
  | 'reviewer_overdue'
  | 'completed_on_time'
  | 'reported_mismatch'
  | 'in_progress'
  | 'not_started'
  | AgingFact

export type Fact = StateFact | PrimaryFact | DerivedFact

export const agingBuckets = ['1-7', '8-14', '15-30', '31-60', '61-90', '91+'] as const
export type AgingBucket = (typeof agingBuckets)[number]

/** The first that holds, in this order. */
export const effectiveStatuses = [
  'completed',
  'failed',
  'awaiting_grading',
  'overdue',
  'in_progress',
  'not_started',
] as const
export type EffectiveStatus = (typeof effectiveStatuses)[number]

export const agingFacts: Record<AgingBucket, AgingFact> = {
  '1-7': 'aging_1_7',
  '8-14': 'aging_8_14',
  '15-30': 'aging_15_30',
  '31-60': 'aging_31_60',
  '61-90': 'aging_61_90',
  '91+': 'aging_91',
}
export const statusFacts = Object.fromEntries(effectiveStatuses.map((status) => [status, status])) as {
  [Status in EffectiveStatus]: Status
}

/** The facts that a scope may name, as values of `fact=`. */
export const scopeFacts = [
  'completed',
  'failed',
  'submitted',
  'graded',
  'awaiting_grading',
  'open',
  'overdue',
  'reviewer_overdue',
  'due_soon',
  'completed_on_time',
  'deadline_moved',
  'reported_mismatch',
] as const
export type ScopeFact = (typeof scopeFacts)[number]

/** Neither completed nor failed, awaiting grading or overdue. */
const isOther = not(any('completed', 'failed', 'awaiting_grading', 'overdue'))
const differs = any(both('reported_overdue', not('overdue')), both(not('reported_overdue'), 'overdue'))
const aged = (bit: number, bucket: AgingBucket, from: number, to: number): Derived => ({
  bit,
  follows: both('overdue', days(from, to)),
  column: `ifNull(aging_bucket = '${bucket}', false)`,
})

/** In an order in which each follows from those before. */
const derived: Record<DerivedFact, Derived> = {
  overdue: { bit: 25, follows: both('open', 'late') },
  due_soon: { bit: 26, follows: both('open', 'due_known', not('late'), days('due_soon_days', 0)) },
  reviewer_overdue: { bit: 42, follows: both('awaiting_grading', 'reviewers_late') },
  completed_on_time: { bit: 43, follows: both('completed', 'completed_in_time') },
  reported_mismatch: { bit: 44, follows: both('reported_overdue_known', differs) },
  in_progress: { bit: 45, follows: both(isOther, 'viewed'), column: `effective_status = 'in_progress'` },
  not_started: { bit: 46, follows: both(isOther, not('viewed')), column: `effective_status = 'not_started'` },
  aging_1_7: aged(48, '1-7', -9_999, 7),
  aging_8_14: aged(49, '8-14', 8, 14),
  aging_15_30: aged(50, '15-30', 15, 30),
  aging_31_60: aged(51, '31-60', 31, 60),
  aging_61_90: aged(52, '61-90', 61, 90),
  aging_91: aged(53, '91+', 91, 99_999),
}

/** State bits that the views name otherwise; the others have a column of their name. */
const stateColumns: Partial<Record<StateFact, string>> = {
  created_assumed: 'created_at_assumed',
  submitted_with_grade: 'graded_when_submitted',
  grade_known: 'calculated_grade_as_sent IS NOT NULL',
  reported_overdue_known: 'is_overdue IS NOT NULL',
  reported_overdue: 'ifNull(is_overdue, false)',
}

export const primaryFacts: readonly Primary[] = Object.values(primary)
const derivedFacts = Object.values(derived)
export const primaryNames = Object.keys(primary) as PrimaryFact[]
export const derivedNames = Object.keys(derived) as DerivedFact[]

/** The ranges of days since the due day that facts tell apart. */
export function dayRanges(dueSoonDays: number): [from: number, to: number][] {
  const rangesOf = (of: Condition): [number, number][] => {
    if (typeof of === 'string') return []
    if ('days' in of) return [[of.days[0] === 'due_soon_days' ? -dueSoonDays : of.days[0], of.days[1]]]
    return 'not' in of ? rangesOf(of.not) : ('and' in of ? of.and : of.or).flatMap(rangesOf)
  }
  return derivedFacts.flatMap(({ follows }) => rangesOf(follows))
}

/** The expression of a primary fact; `undefined`: it is stored or follows from others. */
export function expressionOf(fact: Fact): Expression | undefined {
  return fact in primary ? primary[fact as PrimaryFact].is : undefined
}

export const conditionOf = (fact: Fact): Condition => derived[fact as DerivedFact].follows

/** The column of the views that says a fact, or the expression behind it. */
export function inView(fact: Fact): { column: string } | { is: Expression } {
  if (fact in stateBits) return { column: stateColumns[fact as StateFact] ?? fact }
  if (fact in derived) return { column: derived[fact as DerivedFact].column ?? fact }
  const row: Primary = primary[fact as PrimaryFact]
  return row.column === undefined ? row : { column: row.column }
}

const bitsOf = (table: Record<string, { bit: number }>) =>
  Object.fromEntries(Object.entries(table).map(([name, { bit }]) => [name, bit]))

/** Every fact, in the order of the bits. */
export const factBits = Object.fromEntries(
  Object.entries({ ...stateBits, ...bitsOf(primary), ...bitsOf(derived) }).sort(([, a], [, b]) => a - b),
) as Readonly<Record<Fact, number>>

/** Facts as two halves of 32 bits, within which shifts count modulo 32, and the days since the due day while facts are derived. */
export type Bits = { low: number; high: number; days: number }

/** The bits of these facts, without days. */
export function toBits(facts: readonly Fact[]): Bits {
  const bits: Bits = { low: 0, high: 0, days: NaN }
  for (const fact of facts) setBit(bits, factBits[fact])
  return bits
}

export const factsIn = (bits: Bits): Fact[] =>
  (Object.keys(factBits) as Fact[]).filter((fact) => holds(fact, bits))

type Test = (bits: Bits, dueSoonDays: number) => boolean

const testsOfFacts = Object.fromEntries([
  ['all', () => true],
  ...Object.entries(factBits).map(([fact, bit]): [string, Test] => [
    fact,
    bit < 32 ? ({ low }) => ((low >>> bit) & 1) === 1 : ({ high }) => ((high >>> bit) & 1) === 1,
  ]),
]) as Record<Fact | 'all', Test>
/** A condition is data that is asked of thousands of combinations of facts: it becomes a function once. */
const tests = new WeakMap<Exclude<Condition, string>, Test>()

export function holds(condition: Condition, bits: Bits, dueSoonDays = 0): boolean {
  return toTest(condition)(bits, dueSoonDays)
}

export function toTest(condition: Condition): Test {
  if (typeof condition === 'string') return testsOfFacts[condition]
  const test = tests.get(condition) ?? compile(condition)
  tests.set(condition, test)
  return test
}

function compile(condition: Exclude<Condition, string>): Test {
  if ('not' in condition) {
    const test = toTest(condition.not)
    return (bits, dueSoonDays) => !test(bits, dueSoonDays)
  }
  if ('and' in condition) {
    const all = condition.and.map(toTest)
    return (bits, dueSoonDays) => all.every((test) => test(bits, dueSoonDays))
  }
  if ('or' in condition) {
    const each = condition.or.map(toTest)
    return (bits, dueSoonDays) => each.some((test) => test(bits, dueSoonDays))
  }
  const [from, to] = condition.days
  return ({ days }, dueSoonDays) => days >= (from === 'due_soon_days' ? -dueSoonDays : from) && days <= to
}

/** Sets the derived facts, in place. */
export function derive(bits: Bits, dueSoonDays: number): Bits {
  for (const { bit, follows } of derivedFacts) if (holds(follows, bits, dueSoonDays)) setBit(bits, bit)
  return bits
}

export function setBit(bits: Bits, bit: number): void {
  if (bit < 32) bits.low = (bits.low | (1 << bit)) >>> 0
  else bits.high = (bits.high | (1 << bit)) >>> 0
}

/** A number of assignments with the same facts. */
export type FactCount = Bits & { n: number }

/** The facts that rankings and due cohorts need; everything else is masked away, so that few groups remain. */
export const rankingMask = toBits([
  'completed',
  'failed',
  'submitted',
  'graded',
  'late',
  'overdue',
  'due_known',
  'completed_at_known',
  'completed_in_time',
  'awaiting_grading',
])
