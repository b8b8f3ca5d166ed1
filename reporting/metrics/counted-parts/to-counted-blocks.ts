/** The blocks behind the metrics at one moment, from counts that do not depend on it. */
import { factBits, type Fact } from '../../../schemas/metrics/facts.ts'
import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { dayKinds, daysAdded, daysFrom, mostDaysBehind, noDay, toDate, toFacts, type Blocks } from '../blocks.ts'
import type { Counts, MomentKind } from './counts.ts'
import { toMedians, toQuantiles, type Multiset } from './multiset.ts'

export type CountedBlocks = Pick<
  Blocks,
  'facts' | 'people' | 'days' | 'backlog' | 'grades' | 'time_to_complete' | 'grading_turnaround'
>

export function toCountedBlocks(counts: Counts, scope: Scope): CountedBlocks {
  const { moments, grades } = counts
  const [earlier, later] = toMedians(moments.waiting_since)
  const age = (since: number | null) => (since === null ? null : scope.asOf - since)
  const [lowerGrade, upperGrade] = toMedians(grades)
  return {
    facts: toFactsAt(counts, scope),
    people: toPeople(counts),
    days: toDays(counts, scope),
    // Those who began later have waited less.
    backlog: [moments.waiting_since.size, age(later), age(earlier), age(moments.waiting_since.values[0] ?? null)],
    grades: [
      grades.size,
      grades.values.length === 0
        ? null
        : grades.values.reduce((total, value, index) => total + value * grades.counts[index]!, 0),
      lowerGrade,
      upperGrade,
      toBins(grades),
    ],
    time_to_complete: toWait(counts, 'completed_after', 'going_on_since', scope),
    grading_turnaround: toWait(counts, 'graded_after', 'ungraded_since', scope),
  }
}

/** The bit of `part-counts.sql` for a first due date that differs from the present one. */
const firstDiffers = 1n << 47n

function toFactsAt({ facts }: Counts, scope: Scope): Blocks['facts'] {
  const today = toDay(toLocalDate(scope.dueZone, scope.asOf))
  const sums = new Map<string, number>()
  for (const [text, byDays] of facts) {
    const bits = BigInt(text)
    const has = (fact: Fact) => ((bits >> BigInt(factBits[fact])) & 1n) === 1n
    const kept = bits & ~firstDiffers
    const [dueKnown, firstKnown, reviewersKnown] = [
      has('due_known'),
      has('first_due_known'),
      has('reviewers_due_known'),
    ]
    const [isOpen, isAwaiting, differs] = [has('open'), has('awaiting_grading'), (bits & firstDiffers) !== 0n]
    // Late, late by the first due date, by the reviewers' one, and the days since the due day, in one number: few for thousands of days.
    const byMoment = new Map<number, number>()
    for (const [days, n] of byDays) {
      const due = days % 65_536
      const first = differs ? Math.floor(days / 65_536) % 65_536 : due
      const reviewers = Math.floor(days / 2 ** 32)
      const late = dueKnown && due < today
      const firstLate = firstKnown && first < today
      const reviewersLate = isAwaiting && reviewersKnown && reviewers < today
      const since = isOpen && dueKnown ? Math.max(0, Math.min(mostDaysBehind, daysAdded + today - due)) : 0
      const key = (late ? 1 : 0) + (firstLate ? 2 : 0) + (reviewersLate ? 4 : 0) + 8 * since
      byMoment.set(key, (byMoment.get(key) ?? 0) + n)
    }
    for (const [key, n] of byMoment) {
      if (n === 0) continue
      let tallied = kept | (BigInt(key >> 3) << daysFrom)
      if (key & 1) tallied |= 1n << BigInt(factBits.late)
      if (key & 2) tallied |= 1n << BigInt(factBits.first_late)
      if (key & 4) tallied |= 1n << BigInt(factBits.reviewers_late)
      const all = toFacts(tallied.toString(), scope.dueSoonDays)
      sums.set(all, (sums.get(all) ?? 0) + n)
    }
  }
  return [...sums].filter(([, n]) => n !== 0)
}

function toPeople({ people }: Counts): Blocks['people'] {
  let [all, complete] = [0, 0]
  for (const [person, [n, goingOn]] of people) {
    if (person === '' || n <= 0) continue
    all++
    if (goingOn <= 0) complete++
  }
  return [all, complete]
}

function toDays({ days, moments }: Counts, scope: Scope): Blocks['days'] {
  const sums = new Map(days)
  // What was still to come when it was counted.
  for (const [kind, at] of [
    ['overdue_began', moments.began_at],
    ['overdue_turned', moments.turned_at],
    ['overdue_ended', moments.ended_at],
  ] as const) {
    for (let index = 0; index < at.values.length && at.values[index]! <= scope.asOf; index++) {
      const key = 65_536 * (dayKinds.indexOf(kind) + 1) + toDay(toLocalDate(scope.timeZone, at.values[index]!))
      sums.set(key, (sums.get(key) ?? 0) + at.counts[index]!)
    }
  }
  return [...sums].flatMap(([key, n]): Blocks['days'] => {
    const kind = dayKinds[Math.floor(key / 65_536) - 1]
    const day = key % 65_536
    return kind === undefined || day === noDay || n === 0 ? [] : [[kind, toDate(day), n]]
  })
}

function toDay(date: string): number {
  return Math.max(0, Math.min(65_535, Date.parse(date) / 86_400_000))
}

function toBins({ values, counts }: Multiset): Record<string, number> {
  const bins: Record<string, number> = {}
  for (const [index, value] of values.entries()) {
    const bin = String(Math.min(Math.max(Math.floor(value / 10), 0), 9))
    bins[bin] = (bins[bin] ?? 0) + counts[index]!
  }
  return bins
}

function toWait(
  { moments }: Counts,
  ended: MomentKind,
  since: MomentKind,
  { asOf }: Scope,
): Blocks['time_to_complete'] {
  const [p50 = null, p90 = null] = toQuantiles(moments[ended], moments[since], asOf, [0.5, 0.1])
  return [p50, p90, moments[ended].size, moments[since].size]
}
