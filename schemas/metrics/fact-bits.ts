/**
 * The facts of one assignment at one instant as bits of one number: `facts` in the view `facts_at`. The low 24 are the
 * state bits, which do not depend on the clock; these do. The view writes them, the registry reads them.
 */
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
  has_user: 31,
  /** Late at T by the first known due date of the life. */
  first_late: 32,
  reviewers_late: 33,
  /** `completedAt` is before late from, whatever the state. */
  completed_in_time: 34,
  completed_in_first_time: 35,
  /** First seen submitted (graded) before late from (by the reviewers' due date). */
  submitted_in_time: 36,
  graded_in_time: 37,
  /** The aging bucket of overdue ones, in the order of `agingBuckets`. */
  aging_1_7: 40,
  aging_8_14: 41,
  aging_15_30: 42,
  aging_31_60: 43,
  aging_61_90: 44,
  aging_91: 45,
} as const

export type Fact = keyof typeof factBits

const toMask = (facts: readonly Fact[]): bigint => facts.reduce((mask, fact) => mask | (1n << BigInt(factBits[fact])), 0n)

/** What rankings and due cohorts need to know; everything else is masked away, so that few groups remain. */
export const rankingFacts: bigint = toMask([
  'completed',
  'failed',
  'submitted',
  'graded',
  'late',
  'overdue',
  'due_known',
  'completed_at_known',
  'completed_in_time',
])

/** A number of assignments that agree in all their facts. */
export type FactCount = { has: (fact: Fact) => boolean; count: number }

/** Facts come as decimal text: they do not fit a double. */
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
