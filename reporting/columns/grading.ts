/** The queue for grades, how long grades take, and the backlog through time. */
import { toDate, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import { both, holds } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { metrics, partsOfDuration, toMiddle } from '../../schemas/metrics/metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { daysIn } from '../expressions/zone.ts'
import { toDay } from '../scope/filter.ts'
import {
  reviewStates,
  waitingAges,
  type GradingCount,
  type Queued,
  type QueueArgs,
  type ReviewState,
  type WaitingAge,
} from '../metrics/grading.ts'
import { daysOf } from './day-column.ts'
import { forEachDuration, toQuantiles } from './durations.ts'
import { decide, onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { findFirst } from './page.ts'
import { createSeen, findSeenRows, narrow, select, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { sort } from './sort.ts'
import { toMedians } from './tally.ts'

const dayMs = 86_400_000
const ages = Object.keys(waitingAges) as WaitingAge[]

/** The measures of one challenge or period, and its lists. */
class Group {
  readonly ended: number[] = []
  readonly goingOn: number[] = []
  readonly grades: number[] = []
  waiting = 0
  oldest = 0
}

export async function countGrading(memory: Memory, inScope: InScope): Promise<GradingCount[]> {
  const { asOf, timeZone, period } = inScope.scope
  /** By number of the challenge, and by day of the first grade: days of one period share theirs. */
  const [byChallenge, byDay]: [Group[], Group[]] = [[], []]
  const byPeriod = new Map<string, Group>()
  const groupOf = (day: number): Group => {
    const start = toPeriodStart(period, toDate(day))
    const group = byPeriod.get(start) ?? new Group()
    byPeriod.set(start, group)
    return group
  }
  const [byAge, byReview] = [ages.map(() => 0), reviewStates.map(() => 0)]
  for (const selection of await select(memory, inScope)) {
    const { columns, rows, facts } = selection
    const gradedOn = await daysOf(columns, 'first_graded_at', timeZone)
    const hasGrade = decide(facts, both('graded', 'grade_known'))
    const toReview = decide(facts, metrics.grading_turnaround.of)
    const reviewOf = await createReview(selection, inScope.scope)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        if (toReview(facts.codes[index]!) === 0) continue
        const row = rows[index]!
        const group = (byChallenge[columns.challenge[row]!] ??= new Group())
        if (hasGrade(facts.codes[index]!) === 1) group.grades.push(columns.numbers.grade[row]!)
        if (columns.classes[row] !== 1) continue
        const age = asOf - columns.at.first_submitted_at[row]!
        group.waiting++
        group.oldest = Math.max(group.oldest, age)
        byAge[toAge(age)]!++
        byReview[reviewOf(index)]!++
      }
    })
    await forEachDuration('grading_turnaround', selection, asOf, (ms, hasEnded, index) => {
      const row = rows[index]!
      const group = byChallenge[columns.challenge[row]!]!
      if (!hasEnded) return void group.goingOn.push(ms)
      const day = gradedOn[row]!
      group.ended.push(ms)
      ;(byDay[day] ??= groupOf(day)).ended.push(ms)
    })
  }
  const { names } = memory.challenges
  return [
    ...byChallenge.flatMap((group, number) => toCounts(names[number]!, group)),
    ...[...byPeriod].map(([id, { ended }]) => toWaitCount('period', id, ended, [])),
    ...ages.map((id, at) => toCount('age', id, byAge[at]!)),
    ...reviewStates.map((id, at) => toCount('review', id, byReview[at]!)),
  ].filter(({ n }) => n > 0)
}

const toAge = (ageMs: number): number =>
  ages.findLastIndex((each) => Math.floor(ageMs / dayMs) >= waitingAges[each][0] || each === ages[0])

/** By number, of the row at an index, for what awaits a grade. */
async function createReview(
  { columns, rows, facts }: Selection,
  scope: Scope,
): Promise<(index: number) => number> {
  const today = daysIn(scope.dueZone).of(scope.asOf)
  const days = await daysOf(columns, 'reviewers_due_date', scope.dueZone)
  const of = (state: ReviewState) => reviewStates.indexOf(state)
  const [late, none, soon, later] = [of('overdue'), of('none'), of('soon'), of('later')]
  const kindOf = onceACode(facts, (bits) =>
    holds('reviewers_late', bits) ? late : holds('reviewers_due_known', bits) ? soon : none,
  )
  return (index) => {
    const state = kindOf(facts.codes[index]!)
    return state === soon && days[rows[index]!]! - today > scope.dueSoonDays ? later : state
  }
}

const nothing = { censored: 0, highest: 0, median: 0, p50_ms: null, p90_ms: null }
const toCount = (
  kind: GradingCount['kind'],
  id: string,
  n: number,
  more: Partial<GradingCount> = {},
): GradingCount => ({ kind, id, n, ...nothing, ...more })

function toWaitCount(
  kind: 'challenge' | 'period',
  id: string,
  ended: number[],
  goingOn: number[],
): GradingCount {
  const { p50_ms, p90_ms } = toQuantiles(sort(new Float64Array(ended)), sort(new Float64Array(goingOn)))
  return toCount(kind, id, ended.length + goingOn.length, { censored: goingOn.length, p50_ms, p90_ms })
}

function toCounts(id: string, { ended, goingOn, grades, waiting, oldest }: Group): GradingCount[] {
  const [lower, upper] = toMedians(sort(new Float64Array(grades)))
  return [
    toWaitCount('challenge', id, ended, goingOn),
    toCount('grade', id, grades.length, { median: toMiddle(lower ?? 0, upper ?? 0) }),
    toCount('waiting', id, waiting, { highest: oldest }),
  ]
}

/** By position from 1 on: how many awaited grading at each of some earlier moments, ascending. */
export async function countBacklog(
  memory: Memory,
  inScope: InScope,
  moments: readonly number[],
): Promise<Map<number, number>> {
  const isSeen = createSeen(memory, inScope)
  /** By number of the assignment. */
  const isIn = new Uint8Array(memory.keys.size)
  for (const { columns, rows } of await select(memory, inScope)) {
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) isIn[columns.assignment[rows[index]!]!] = 1
    })
  }
  const firstFrom = (at: number): number => {
    let index = moments.length
    while (index > 0 && moments[index - 1]! >= at) index--
    return index
  }
  const [first = 0, last = 0] = [moments[0], moments.at(-1)]
  /** How many more wait than at the moment before. */
  const more = new Int32Array(moments.length + 1)
  for (const columns of [memory.open, memory.closed]) {
    const { classes, user, assignment, validTo, at } = columns
    const few = await findSeenRows(memory, columns, inScope)
    await inSlices(few?.length ?? columns.size, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = few === undefined ? index : few[index]!
        if (classes[row] !== 1 || isIn[assignment[row]!] === 0) continue
        const began = at.valid_from[row]!
        const ended = validTo[row]!
        if (began > last || ended <= first || !isSeen(user[row]!)) continue
        more[firstFrom(began)]!++
        more[firstFrom(ended)]!--
      }
    })
  }
  let n = 0
  return new Map(
    moments.map((_, index) => [index + 1, (n += more[index]!)] as const).filter(([, count]) => count > 0),
  )
}

/** Rows of the queue, longest waiting first, and how many there are. */
export async function findQueue(memory: Memory, inScope: InScope, { of, offset, limit }: QueueArgs) {
  const selections: Selection[] = []
  for (const selection of await select(memory, inScope))
    selections.push(await keepAsked(selection, inScope.scope, of))
  const { hits, total } = await findFirst(
    selections,
    ({ columns, rows }) =>
      (index) =>
        columns.at.first_submitted_at[rows[index]!]!,
    { cursor: null, isUp: true, limit: offset + limit },
  )
  const rows = hits.slice(offset).map(({ selection: { columns, rows, facts }, index }): Queued => {
    const row = rows[index]!
    const { at, state } = columns
    return {
      ...columns.idsOf(row),
      submitted_at: at.first_submitted_at[row]!,
      graded_at: at.first_graded_at[row]!,
      reviewers_due_at: at.reviewers_due_date[row]!,
      is_review_overdue: holds('reviewer_overdue', facts.of(facts.codes[index]!)),
      is_partly_graded: ((state[row]! >>> stateBits.partially_graded) & 1) === 1,
      is_submission_known: ((state[row]! >>> stateBits.began_submitted) & 1) === 0,
    }
  })
  return { rows, total }
}

/** Those of a selection that the queue is asked for. */
async function keepAsked(selection: Selection, scope: Scope, of: QueueArgs['of']): Promise<Selection> {
  const { columns, rows, facts } = selection
  const isMeasured = decide(facts, partsOfDuration(metrics.grading_turnaround).n)
  const graded = 'gradedFrom' in of ? await daysOf(columns, 'first_graded_at', scope.timeZone) : null
  const reviewOf = await createReview(selection, scope)
  const isAsked = (index: number): boolean => {
    const row = rows[index]!
    if ('gradedFrom' in of) {
      const day = graded![row]!
      return isMeasured(facts.codes[index]!) === 1 && day >= toDay(of.gradedFrom) && day <= toDay(of.gradedTo)
    }
    if (columns.classes[row] !== 1) return false
    const { age, review } = of
    const isSo = age === undefined || ages[toAge(scope.asOf - columns.at.first_submitted_at[row]!)] === age
    return isSo && (review === undefined || reviewStates[reviewOf(index)] === review)
  }
  return narrow(selection, isAsked)
}
