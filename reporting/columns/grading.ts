/** The queue for grades, how long grades take, and the backlog through time. */
import { toInstant, toInstantOrNull } from '../../schemas/instant.ts'
import { toDate, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import { both, holds } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { metrics, partsOfDuration } from '../../schemas/metrics/metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toDay } from '../scope/filter.ts'
import { waitingAges, type QueueArgs, type WaitingAge } from '../metrics/grading.ts'
import { daysOf } from './day-column.ts'
import { createDurations, Waits } from './durations.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { findFirst } from './page.ts'
import { forEachRow, narrow, select, toSeen, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { sort } from './sort.ts'
import { toMedian } from './tally.ts'

const dayMs = 86_400_000
const ages = Object.keys(waitingAges) as WaitingAge[]

/** Of one challenge or period: turnarounds, grades, and what waits. */
class Group {
  readonly turnaround = new Waits()
  readonly grades: number[] = []
  waiting = 0
  oldest = 0
}

export async function countGrading(memory: Memory, inScope: InScope) {
  const { asOf, timeZone, period } = inScope.scope
  const byChallenge = new Map<string, Group>()
  const byPeriod = new Map<string, Waits>()
  /** By day of the first grade: days of one period share theirs. */
  const byDay: Waits[] = []
  const ofDay = (day: number): Waits =>
    (byDay[day] ??= found(byPeriod, toPeriodStart(period, toDate(day)), Waits))
  const byAge = ages.map(() => 0)
  await forEachRow(await select(memory, inScope), async (selection) => {
    const { columns, facts } = selection
    const { grade, class: classes, first_submitted_at } = columns.values
    const gradedOn = await daysOf(columns, 'first_graded_at', timeZone)
    const hasGrade = decide(facts, both('graded', 'grade_known'))
    const toReview = decide(facts, metrics.grading_turnaround.of)
    const measure = createDurations('grading_turnaround', selection, asOf)
    return (row, code) => {
      if (toReview(code) === 0) return
      const group = found(byChallenge, columns.nameOf('challenge_id', row), Group)
      if (hasGrade(code) === 1) group.grades.push(grade[row]!)
      measure(row, code, (ms, hasEnded) => {
        group.turnaround.add(ms, hasEnded)
        if (hasEnded) ofDay(gradedOn[row]!).add(ms, hasEnded)
      })
      if (classes[row] !== 1) return
      const age = asOf - first_submitted_at[row]!
      group.waiting++
      group.oldest = Math.max(group.oldest, age)
      byAge[toAge(age)]!++
    }
  })
  return {
    by_age: ages.map((age, at) => ({ age, count: byAge[at]! })),
    byPeriod: new Map([...byPeriod].map(([start, waits]) => [start, waits.toQuantiles()])),
    by_challenge: [...byChallenge].flatMap(([id, { turnaround, grades, waiting, oldest }]) => {
      const { n, censored, p50_ms } = turnaround.toQuantiles()
      if (n + censored + grades.length + waiting === 0) return []
      return {
        id,
        waiting,
        oldest_ms: waiting === 0 ? null : oldest,
        /** `grading_turnaround` and `grade` over the assignments of the challenge. */
        turnaround: { p50_ms, n },
        grade: { median: toMedian(sort(new Float64Array(grades))), n: grades.length },
      }
    }),
  }
}

function found<Value>(values: Map<string, Value>, key: string, Type: new () => Value): Value {
  const value = values.get(key) ?? new Type()
  values.set(key, value)
  return value
}

const toAge = (ageMs: number): number =>
  ages.findLastIndex((each) => Math.floor(ageMs / dayMs) >= waitingAges[each][0] || each === ages[0])

/** How many awaited grading at each of some earlier moments, ascending. */
export async function countBacklog(
  memory: Memory,
  inScope: InScope,
  moments: readonly number[],
): Promise<number[]> {
  const isSeen = toSeen(memory, inScope.seenIds)
  /** By number of the assignment. */
  const isIn = new Uint8Array(memory.ids.assignment_id.names.length)
  await forEachRow(await select(memory, inScope), ({ columns: { values } }) => (row) => {
    isIn[values.assignment_id[row]!] = 1
  })
  const firstFrom = (at: number): number => {
    let index = moments.length
    while (index > 0 && moments[index - 1]! >= at) index--
    return index
  }
  const [first = 0, last = 0] = [moments[0], moments.at(-1)]
  /** How many more wait than at the moment before. */
  const more = new Int32Array(moments.length + 1)
  for (const { size, values } of [memory.open, memory.closed]) {
    const { class: classes, user_id, assignment_id, valid_from, valid_to } = values
    await inSlices(size, (row) => {
      if (classes[row] !== 1 || isIn[assignment_id[row]!] === 0 || isSeen[user_id[row]!] === 0) return
      const [began, ended] = [valid_from[row]!, valid_to[row]!]
      if (began > last || ended <= first) return
      more[firstFrom(began)]!++
      more[firstFrom(ended)]!--
    })
  }
  let n = 0
  return moments.map((_, index) => (n += more[index]!))
}

export type Queued = Awaited<ReturnType<typeof findQueue>>['rows'][number]

/** Rows of the queue, longest waiting first, and how many there are. */
export async function findQueue(memory: Memory, inScope: InScope, { of, offset, limit }: QueueArgs) {
  const selections: Selection[] = []
  for (const selection of await select(memory, inScope))
    selections.push(await keepAsked(selection, inScope.scope, of))
  const { hits, total } = await findFirst(
    selections,
    ({ columns: { values } }) =>
      (row) =>
        values.first_submitted_at[row]!,
    { cursor: null, isUp: true, limit: offset + limit },
  )
  const rows = hits.slice(offset).map(({ selection: { columns, facts }, row, code }) => {
    const { state, first_submitted_at, first_graded_at, reviewers_due_date } = columns.values
    const is = (fact: keyof typeof stateBits) => ((state[row]! >>> stateBits[fact]) & 1) === 1
    return {
      ...columns.idsOf(row),
      submitted_at: toInstant(first_submitted_at[row]!),
      /** Whether `submitted_at` is when it was handed in; else it is when we first heard of it. */
      submission_known: !is('began_submitted'),
      graded_at: toInstantOrNull(first_graded_at[row]!),
      reviewers_due_at: toInstantOrNull(reviewers_due_date[row]!),
      review_overdue: holds('reviewer_overdue', facts.of(code)),
      partly_graded: is('partially_graded'),
    }
  })
  return { rows, total }
}

/** The selected rows that the queue shows. */
async function keepAsked(selection: Selection, scope: Scope, of: QueueArgs['of']): Promise<Selection> {
  const { columns, rows, facts } = selection
  const isMeasured = decide(facts, partsOfDuration(metrics.grading_turnaround).n)
  const graded = 'gradedFrom' in of ? await daysOf(columns, 'first_graded_at', scope.timeZone) : null
  const isAsked = (index: number): boolean => {
    const row = rows[index]!
    if ('gradedFrom' in of) {
      const day = graded![row]!
      return isMeasured(facts.codes[index]!) === 1 && day >= toDay(of.gradedFrom) && day <= toDay(of.gradedTo)
    }
    if (columns.values.class[row] !== 1) return false
    return (
      of.age === undefined || ages[toAge(scope.asOf - columns.values.first_submitted_at[row]!)] === of.age
    )
  }
  return narrow(selection, isAsked)
}
