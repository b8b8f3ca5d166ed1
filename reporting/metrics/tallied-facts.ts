/**
 * Turns the bits that `blocks.sql` counts by into all facts of METRICS.md. Facts that follow from other facts and the
 * days since the due day are derived here, once for some thousand kinds of assignments.
 */
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { agingFacts, factBits, rankingMask, type Fact } from '../../schemas/metrics/fact-bits.ts'

/** Where the days since the due day begin, and what is added to them. */
export const daysFrom = 48n
export const daysAdded = 366
/** The most that these bits say: 91 days behind the due day and one. */
export const mostDaysBehind = 458
const tallied = (1n << daysFrom) - 1n

/** Days since the due day up to which a bucket goes. */
const bucketEnds = [7, 14, 30, 60, 90]

/** All facts as bits, decimal. */
export function toFacts(talliedBits: string, dueSoonDays: number): string {
  const bits = BigInt(talliedBits)
  const has = (fact: Fact) => ((bits >> BigInt(factBits[fact])) & 1n) === 1n
  const daysAfterDue = Number(bits >> daysFrom) - daysAdded
  const isOpen = has('open')
  const isOverdue = isOpen && has('late')
  const isOther = !has('completed') && !has('failed') && !has('awaiting_grading') && !isOverdue
  const bucket = agingBuckets[bucketEnds.filter((end) => daysAfterDue > end).length] ?? '91+'
  const following: Partial<Record<Fact, boolean>> = {
    overdue: isOverdue,
    due_soon: isOpen && has('due_known') && !has('late') && daysAfterDue >= -dueSoonDays && daysAfterDue <= 0,
    reviewer_overdue: has('awaiting_grading') && has('reviewers_late'),
    completed_on_time: has('completed') && has('completed_in_time'),
    reported_mismatch: has('reported_overdue_known') && has('reported_overdue') !== isOverdue,
    in_progress: isOther && has('viewed'),
    not_started: isOther && !has('viewed'),
    [agingFacts[bucket]]: isOverdue,
  }
  let facts = bits & tallied
  for (const [fact, holds] of Object.entries(following)) if (holds) facts |= 1n << BigInt(factBits[fact as Fact])
  return facts.toString()
}

/** The facts of a ranking from its own bits, of which `blocks.sql` has fewer; no other can be told from them. */
export function toRankingFacts(talliedBits: string): string {
  return (BigInt(toFacts(talliedBits, 0)) & BigInt(rankingMask)).toString()
}
