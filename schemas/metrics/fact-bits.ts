/**
 * The facts of one assignment at one instant as bits of one number: `facts` in the view `scope_at`. The low 24 are the
 * state bits, which do not depend on the clock; these do. The view writes them, the registry reads them.
 */
import type { AgingBucket } from './answer.ts'
import { stateBits } from './state-bits.ts'

export const factBits = {
  ...stateBits,
  /** Late at T by the due date, whatever the state. */
  late: 24,
  overdue: 25,
  due_soon: 26,
  due_known: 27,
  first_due_known: 28,
  reviewers_due_known: 29,
  completed_at_known: 30,
  open: 31,
  awaiting_grading: 32,
  /** Late at T by the first known due date of the life. */
  first_late: 36,
  reviewers_late: 37,
  /** `completedAt` is before late from (by the first due date), whatever the state. */
  completed_in_time: 38,
  completed_in_first_time: 39,
  /** First seen submitted (graded) before late from (by the reviewers' due date). */
  submitted_in_time: 40,
  graded_in_time: 41,
  reviewer_overdue: 42,
  completed_on_time: 43,
  reported_mismatch: 44,
  /** The effective statuses that are not facts by themselves. */
  in_progress: 45,
  not_started: 46,
  /** The aging bucket of overdue ones, in the order of `agingBuckets`. */
  aging_1_7: 48,
  aging_8_14: 49,
  aging_15_30: 50,
  aging_31_60: 51,
  aging_61_90: 52,
  aging_91: 53,
} as const

export type Fact = keyof typeof factBits

/** Whether one assignment has a fact. */
export type Has = (fact: Fact) => boolean

export const agingFacts: Record<AgingBucket, Fact> = {
  '1-7': 'aging_1_7',
  '8-14': 'aging_8_14',
  '15-30': 'aging_15_30',
  '31-60': 'aging_31_60',
  '61-90': 'aging_61_90',
  '91+': 'aging_91',
}

/** The bits of these facts, as decimal text: they do not fit a double. */
export function toFactMask(facts: readonly Fact[]): string {
  return facts.reduce((mask, fact) => mask | (1n << BigInt(factBits[fact])), 0n).toString()
}

/** What rankings and due cohorts need to know; everything else is masked away, so that few groups remain. */
export const rankingFacts = [
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
] as const satisfies Fact[]

export const rankingMask = toFactMask(rankingFacts)

/** A number of assignments with the same facts. */
export type FactCount = { has: Has; count: number }

export function toFactCount(facts: string, count: number): FactCount {
  const bits = BigInt(facts)
  const low = Number(bits & 0xffff_ffffn)
  const high = Number(bits >> 32n)
  const has = (fact: Fact): boolean => {
    const bit = factBits[fact]
    return bit < 32 ? ((low >>> bit) & 1) === 1 : ((high >>> (bit - 32)) & 1) === 1
  }
  return { has, count }
}
