/** The blocks of an answer, counted over the rows in scope. */
import { toDate } from '../../schemas/metrics/calendar.ts'
import { toDecimal } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { dayKinds, type Blocks, type DayKind, type Detail, type NumberBlocks } from '../metrics/blocks.ts'
import { daysIn } from '../expressions/zone.ts'
import type { Columns } from './columns.ts'
import { daysOf } from './day-column.ts'
import type { Arrays } from './arrays.ts'
import type { Memory } from './memory.ts'
import { rank, rankDueWeeks, rankTeamSets } from './rankings.ts'
import { select, type InScope, type Selection } from './select.ts'
import { inSlices, nextTurn } from './slices.ts'
import { sort } from './sort.ts'

/** Numbers of two lists with room for all of them: the first from the front, the second from the back. */
class TwoLists {
  private readonly all: Float64Array
  private first = 0
  private second: number
  constructor(all: Float64Array) {
    this.all = all
    this.second = all.length
  }
  addFirst(value: number): void {
    this.all[this.first++] = value
  }
  addSecond(value: number): void {
    this.all[--this.second] = value
  }
  async sorted(): Promise<[first: Float64Array, second: Float64Array]> {
    await nextTurn()
    const first = sort(this.all.subarray(0, this.first))
    await nextTurn()
    return [first, sort(this.all.subarray(this.second))]
  }
}

/** How many fall on each day since 1970; few of all days have any. */
class DayCounts {
  private readonly counts: Uint32Array<ArrayBuffer>
  private readonly days: number[] = []
  private readonly arrays: Arrays
  constructor(arrays: Arrays) {
    this.arrays = arrays
    this.counts = arrays.take(65_536).fill(0)
  }
  add(day: number): void {
    if (this.counts[day]!++ === 0) this.days.push(day)
  }
  /** The last question to it. */
  toDates(kind: DayKind): Blocks['days'] {
    this.arrays.giveBack(this.counts)
    return this.days.sort((a, b) => a - b).map((day) => [kind, toDate(day), this.counts[day]!])
  }
}

const bit = (fact: keyof typeof stateBits): number => 1 << stateBits[fact]
const [completedBit, gradedBit, gradeKnownBit, assumedBit, unmeasuredBits] = [
  bit('completed'),
  bit('graded'),
  bit('grade_known'),
  bit('created_assumed'),
  bit('began_submitted') | bit('submitted_with_grade'),
]

const nothing: NumberBlocks = {
  facts: [],
  people: [0, 0],
  challenges: [],
  team_sets: [],
  due_weeks: [],
  days: [],
  backlog: [0, null, null, null],
  grades: [0, null, null, null, {}],
  time_to_complete: [null, null, 0, 0],
  grading_turnaround: [null, null, 0, 0],
}

export async function tally(memory: Memory, inScope: InScope, detail: Detail): Promise<NumberBlocks> {
  const selections = await select(memory, inScope)
  const counts = { facts: await countFacts(selections), people: await countPeople(memory, selections) }
  if (detail === 'counts') return { ...nothing, ...counts }
  const { byDay, gradesAndAges, toComplete, toGrade } = await measure(memory, selections, inScope.scope)
  const [sortedGrades, sortedAges] = await gradesAndAges.sorted()
  return {
    ...nothing,
    ...counts,
    ...(detail === 'overview' && {
      challenges: await rank(memory, selections),
      team_sets: await rankTeamSets(memory, selections, inScope.scope),
      due_weeks: await rankDueWeeks(selections, inScope.scope),
    }),
    days: dayKinds.flatMap((kind) => byDay[kind].toDates(kind)),
    backlog: [sortedAges.length, ...toMedians(sortedAges), sortedAges.at(-1) ?? null],
    grades: [
      sortedGrades.length,
      sortedGrades.length === 0 ? null : sum(sortedGrades),
      ...toMedians(sortedGrades),
      toBins(sortedGrades),
    ],
    time_to_complete: toWait(...(await toComplete.sorted())),
    grading_turnaround: toWait(...(await toGrade.sorted())),
  }
}

/** People in scope, and those of them who have completed everything. */
async function countPeople({ users }: Memory, selections: readonly Selection[]): Promise<Blocks['people']> {
  const [all, goingOn] = [new Uint8Array(users.names.length), new Uint8Array(users.names.length)]
  for (const { columns, rows } of selections) {
    const { state, user } = columns
    await inSlices(rows.length, (first, end) => {
      for (let index = first; index < end; index++) {
        const row = rows[index]!
        all[user[row]!] = 1
        if ((state[row]! & completedBit) === 0) goingOn[user[row]!] = 1
      }
    })
  }
  const unknown = users.find('')
  const people: Blocks['people'] = [0, 0]
  for (let id = 0; id < all.length; id++) {
    if (all[id] === 0 || id === unknown) continue
    people[0]++
    if (goingOn[id] === 0) people[1]++
  }
  return people
}

/** One pass over the rows: days, grades, and how long things take. */
async function measure({ arrays }: Memory, selections: readonly Selection[], scope: Scope) {
  const { asOf, timeZone } = scope
  const byDay = Object.fromEntries(dayKinds.map((kind) => [kind, new DayCounts(arrays)])) as ByDay
  const most = selections.reduce((sum, { rows }) => sum + rows.length, 0)
  /** In both lists of times, waits that have ended come first, then those that go on. */
  const [gradesAndAges, toComplete, toGrade] = [2 * most, most, most].map(
    (length) => new TwoLists(arrays.borrow(length)),
  ) as [TwoLists, TwoLists, TwoLists]
  const forEachSpan = createSpans(scope)
  const days = daysIn(timeZone)
  /** On which days it became overdue, and ceased to be. */
  const addSpan = (began: number, ended: number, isTurn: boolean) => {
    const day = days.of(began)
    byDay.overdue_began.add(day)
    if (isTurn) byDay.overdue_turned.add(day)
    if (ended <= asOf) byDay.overdue_ended.add(days.of(ended))
  }
  for (const { columns, rows } of selections) {
    const { state: states, classes } = columns
    const { created_at, completed_at, first_submitted_at, first_graded_at } = columns.at
    const createdOn = await daysOf(columns, 'created_at', timeZone)
    const completedOn = await daysOf(columns, 'completed_at', timeZone)
    const gradedOn = await daysOf(columns, 'first_graded_at', timeZone)
    await inSlices(rows.length, (first, end) => {
      for (let index = first; index < end; index++) {
        const row = rows[index]!
        const state = states[row]!
        const isCompleted = (state & completedBit) !== 0
        const isGraded = (state & gradedBit) !== 0
        const isAwaiting = classes[row] === 1
        const created = created_at[row]!
        const completed = completed_at[row]!
        const assigned = isCompleted ? byDay.assigned_completed : byDay.assigned_other
        assigned.add(createdOn[row]!)
        if (isCompleted && completed !== 0 && completed <= asOf) byDay.completed.add(completedOn[row]!)
        if ((state & assumedBit) === 0) {
          if (!isCompleted) toComplete.addSecond(asOf - created)
          else if (completed !== 0) toComplete.addFirst(Math.max(0, completed - created))
        }
        const submitted = first_submitted_at[row]!
        const graded = first_graded_at[row]!
        if (isGraded) byDay.graded.add(gradedOn[row]!)
        if (isGraded && (state & gradeKnownBit) !== 0) gradesAndAges.addFirst(columns.numbers.grade[row]!)
        if (isAwaiting) gradesAndAges.addSecond(asOf - submitted)
        if ((state & unmeasuredBits) === 0) {
          if (isAwaiting) toGrade.addSecond(asOf - submitted)
          else if (isGraded && graded >= submitted) toGrade.addFirst(graded - submitted)
        }
        forEachSpan(columns, row, addSpan)
      }
    })
  }
  return { byDay, gradesAndAges, toComplete, toGrade }
}

type ByDay = Record<DayKind, DayCounts>

export type UseSpan = (began: number, ended: number, isTurn: boolean) => void

/** When a row was overdue. Where a span begins just when the one before ended, both are one turn. */
export function createSpans({ asOf, dueZone, dueEnd }: Scope): (columns: Columns, row: number, use: UseSpan) => void {
  const dueDays = daysIn(dueZone)
  return ({ spans: { items, from: starts, length } }, row, use) => {
    let before = NaN
    for (let span = starts[row]!, last = span + length[row]!; span < last; span += 3) {
      const due = items[span + 2]!
      const began = Math.max(items[span]!, dueEnd === 'instant' ? due + 1 : dueDays.after(dueDays.of(due)))
      const ended = items[span + 1]!
      if (began >= ended || began > asOf) continue
      use(began, ended, began !== before)
      before = ended
    }
  }
}

async function countFacts(selections: readonly Selection[]): Promise<Blocks['facts']> {
  const sums = new Map<string, number>()
  for (const { facts } of selections) {
    const counts = new Int32Array(facts.size())
    await inSlices(facts.codes.length, (from, to) => {
      for (let index = from; index < to; index++) counts[facts.codes[index]!]!++
    })
    for (let code = 0; code < counts.length; code++) {
      if (counts[code] === 0) continue
      const bits = toDecimal(facts.of(code))
      sums.set(bits, (sums.get(bits) ?? 0) + counts[code]!)
    }
  }
  return [...sums]
}

export function toMedians(sorted: Float64Array): [lower: number | null, upper: number | null] {
  const half = Math.ceil(sorted.length / 2)
  return half === 0 ? [null, null] : [sorted[half - 1]!, sorted[sorted.length - half]!]
}

function sum(numbers: Float64Array): number {
  let all = 0
  for (let index = 0; index < numbers.length; index++) all += numbers[index]!
  return all
}

/** By tens, below the first and above the last bin with it. */
function toBins(sorted: Float64Array): Record<string, number> {
  const bins: Record<string, number> = {}
  for (let bin = 0, from = 0; bin < 10; bin++) {
    const end = bin === 9 ? sorted.length : findFirst(sorted, 10 * (bin + 1))
    if (end > from) bins[bin] = end - from
    from = end
  }
  return bins
}

/** The index of the first number that is not less. */
function findFirst(sorted: Float64Array, least: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < least) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Exact Kaplan-Meier: the waits at which survival falls to 0.5 and 0.1, with a tolerance of 1e-9. Ends come before censorings of the same
 * length; between two censorings the factors (r - d) / r cancel out, so ends are only counted.
 */
export function toWait(ends: Float64Array, censored: Float64Array): Blocks['time_to_complete'] {
  const limits = [0.5 + 1e-9, 0.1 + 1e-9]
  const quantiles: number[] = []
  let survival = 1
  let atRisk = ends.length + censored.length
  let at = 0
  for (let next = 0; at < ends.length && quantiles.length < limits.length; next++) {
    const until = next < censored.length ? censored[next]! : Infinity
    const first = at
    while (at < ends.length && ends[at]! <= until) at++
    const n = at - first
    if (n > 0) {
      // The smallest wait at which so many have ended that survival is at most the limit; equal waits end together.
      while (quantiles.length < limits.length && survival * (1 - n / atRisk) <= limits[quantiles.length]!) {
        const needed = Math.max(1, Math.ceil(atRisk * (1 - limits[quantiles.length]! / survival)))
        quantiles.push(ends[Math.min(first + needed - 1, at - 1)]!)
      }
      survival *= 1 - n / atRisk
    }
    atRisk -= n + 1
  }
  return [quantiles[0] ?? null, quantiles[1] ?? null, ends.length, censored.length]
}
