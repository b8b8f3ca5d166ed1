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
import { forEachDuration, toQuantiles } from './durations.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { findFirst } from './page.ts'
import { findSeenRows, narrow, select, toSeen, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { sort } from './sort.ts'
import { toMedian } from './tally.ts'

const dayMs = 86_400_000
const ages = Object.keys(waitingAges) as WaitingAge[]

/** Of one challenge or period: turnarounds that have ended and that go on, grades, and what waits. */
class Group {
  readonly ended: number[] = []
  readonly goingOn: number[] = []
  readonly grades: number[] = []
  waiting = 0
  oldest = 0
}

export async function countGrading(memory: Memory, inScope: InScope) {
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
  const byAge = ages.map(() => 0)
  for (const selection of await select(memory, inScope)) {
    const { columns, rows, facts } = selection
    const gradedOn = await daysOf(columns, 'first_graded_at', timeZone)
    const hasGrade = decide(facts, both('graded', 'grade_known'))
    const toReview = decide(facts, metrics.grading_turnaround.of)
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
  return {
    by_age: ages.map((age, at) => ({ age, count: byAge[at]! })),
    byPeriod: new Map([...byPeriod].map(([start, group]) => [start, toTurnaround(group)])),
    by_challenge: byChallenge.flatMap((group, number) => {
      const { ended, goingOn, grades, waiting, oldest } = group
      if (ended.length + goingOn.length + grades.length + waiting === 0) return []
      const { n, p50_ms } = toTurnaround(group)
      return {
        id: names[number]!,
        waiting,
        oldest_ms: waiting === 0 ? null : oldest,
        /** `grading_turnaround` and `grade` over the assignments of the challenge. */
        turnaround: { p50_ms, n },
        grade: { median: toMedian(sort(new Float64Array(grades))), n: grades.length },
      }
    }),
  }
}

const toTurnaround = ({ ended, goingOn }: Group) =>
  toQuantiles(sort(new Float64Array(ended)), sort(new Float64Array(goingOn)))

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
        if (began > last || ended <= first || isSeen[user[row]!] === 0) continue
        more[firstFrom(began)]!++
        more[firstFrom(ended)]!--
      }
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
    ({ columns, rows }) =>
      (index) =>
        columns.at.first_submitted_at[rows[index]!]!,
    { cursor: null, isUp: true, limit: offset + limit },
  )
  const rows = hits.slice(offset).map(({ selection: { columns, rows, facts }, index }) => {
    const row = rows[index]!
    const { at, state } = columns
    const is = (fact: keyof typeof stateBits) => ((state[row]! >>> stateBits[fact]) & 1) === 1
    return {
      ...columns.idsOf(row),
      submitted_at: toInstant(at.first_submitted_at[row]!),
      /** Whether `submitted_at` is when it was handed in; else it is when we first heard of it. */
      submission_known: !is('began_submitted'),
      graded_at: toInstantOrNull(at.first_graded_at[row]!),
      reviewers_due_at: toInstantOrNull(at.reviewers_due_date[row]!),
      review_overdue: holds('reviewer_overdue', facts.of(facts.codes[index]!)),
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
    if (columns.classes[row] !== 1) return false
    return of.age === undefined || ages[toAge(scope.asOf - columns.at.first_submitted_at[row]!)] === of.age
  }
  return narrow(selection, isAsked)
}
