/** The blocks of an answer from columns in memory: what `statements/blocks.ts` counts in the store. */
import { toDecimal } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { dayKinds, toDate, type Blocks, type DayKind, type Detail, type NumberBlocks } from '../metrics/blocks.ts'
import { daysIn } from '../expressions/zone.ts'
import type { Columns } from './columns.ts'
import { daysOf } from './day-column.ts'
import type { Memory } from './memory.ts'
import { rank, rankDueWeeks, rankTeamSets } from './rankings.ts'
import { select, type InScope, type Selection } from './select.ts'
import { inSlices, nextTurn } from './slices.ts'
import { sort } from './sort.ts'

/** Numbers of two lists that have at most so many together: the first from the front, the second from the back. */
class TwoLists {
  private readonly all: Float64Array
  private first = 0
  private second: number
  constructor(most: number) {
    this.all = new Float64Array(most)
    this.second = most
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

const bit = (fact: keyof typeof stateBits): number => 1 << stateBits[fact]
const [completedBit, gradedBit, gradeKnownBit, assumedBit, unmeasuredBits] = [
  bit('completed'),
  bit('graded'),
  bit('grade_known'),
  bit('created_assumed'),
  bit('began_submitted') | bit('submitted_with_grade'),
]

export async function tally(memory: Memory, inScope: InScope, detail: Detail): Promise<NumberBlocks> {
  const selections = await select(memory, inScope)
  const { byDay, people, gradesAndAges, toComplete, toGrade } = await measure(memory, selections, inScope.scope)
  const [sortedGrades, sortedAges] = await gradesAndAges.sorted()
  return {
    facts: await countFacts(selections),
    people,
    ...(detail === 'overview'
      ? {
          challenges: await rank(memory, selections),
          team_sets: await rankTeamSets(memory, selections, inScope.scope),
          due_weeks: await rankDueWeeks(selections, inScope.scope),
        }
      : { challenges: [], team_sets: [], due_weeks: [] }),
    days: dayKinds.flatMap((kind) => toDates(kind, byDay[kind])),
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

/** One pass over the rows: people, days, grades, and how long things take. */
async function measure({ users }: Memory, selections: readonly Selection[], scope: Scope) {
  const { asOf, timeZone } = scope
  const byDay = Object.fromEntries(dayKinds.map((kind) => [kind, new Int32Array(65_536)])) as ByDay
  const [all, goingOn] = [new Int32Array(users.names.length), new Int32Array(users.names.length)]
  const most = selections.reduce((sum, { rows }) => sum + rows.length, 0)
  /** Of waits, those that have ended come first, then those that go on. */
  const [gradesAndAges, toComplete, toGrade] = [new TwoLists(2 * most), new TwoLists(most), new TwoLists(most)]
  const forEachSpan = createSpans(scope)
  const days = daysIn(timeZone)
  /** On which days it became overdue, and ceased to be. */
  const addSpan = (began: number, ended: number, isTurn: boolean) => {
    const day = days.of(began)
    byDay.overdue_began[day]!++
    if (isTurn) byDay.overdue_turned[day]!++
    if (ended <= asOf) byDay.overdue_ended[days.of(ended)]!++
  }
  for (const { columns, rows } of selections) {
    const { at, state: states, classes, user, grade } = columns
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
        all[user[row]!]!++
        if (!isCompleted) goingOn[user[row]!]!++
        const [created, completed] = [at.created_at[row]!, at.completed_at[row]!]
        if (isCompleted) byDay.assigned_completed[createdOn[row]!]!++
        else byDay.assigned_other[createdOn[row]!]!++
        if (isCompleted && completed !== 0 && completed <= asOf) byDay.completed[completedOn[row]!]!++
        if ((state & assumedBit) === 0) {
          if (!isCompleted) toComplete.addSecond(asOf - created)
          else if (completed !== 0) toComplete.addFirst(Math.max(0, completed - created))
        }
        const [submitted, graded] = [at.first_submitted_at[row]!, at.first_graded_at[row]!]
        if (isGraded) byDay.graded[gradedOn[row]!]!++
        if (isGraded && (state & gradeKnownBit) !== 0) gradesAndAges.addFirst(grade[row]!)
        if (isAwaiting) gradesAndAges.addSecond(asOf - submitted)
        if ((state & unmeasuredBits) === 0) {
          if (isAwaiting) toGrade.addSecond(asOf - submitted)
          else if (isGraded && graded >= submitted) toGrade.addFirst(graded - submitted)
        }
        forEachSpan(columns, row, addSpan)
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
  return { byDay, people, gradesAndAges, toComplete, toGrade }
}

type ByDay = Record<DayKind, Int32Array>

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
    const counts = new Int32Array(facts.size)
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

function toDates(kind: DayKind, counts: Int32Array): Blocks['days'] {
  const dates: Blocks['days'] = []
  for (let day = 0; day < counts.length; day++) if (counts[day] !== 0) dates.push([kind, toDate(day), counts[day]!])
  return dates
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

function toBins(sorted: Float64Array): Record<string, number> {
  const bins = new Uint32Array(10)
  for (const value of sorted) bins[Math.min(Math.max(Math.floor(value / 10), 0), 9)]!++
  return Object.fromEntries([...bins.entries()].filter(([, n]) => n > 0))
}

/**
 * Exact Kaplan-Meier: the waits at which survival falls to 0.5 and 0.1, with a tolerance of 1e-9. Ends come before censorings of the same
 * length; between two censorings the factors (r - d) / r cancel out, so ends are only counted.
 */
export function toWait(ends: Float64Array, censored: Float64Array): Blocks['time_to_complete'] {
  const limits = [0.5 + 1e-9, 0.1 + 1e-9]
  const found: number[] = []
  let survival = 1
  let atRisk = ends.length + censored.length
  let at = 0
  for (let next = 0; at < ends.length && found.length < limits.length; next++) {
    const until = next < censored.length ? censored[next]! : Infinity
    const first = at
    while (at < ends.length && ends[at]! <= until) at++
    const n = at - first
    if (n > 0) {
      // The smallest wait at which so many have ended that survival is at most the limit; equal waits end together.
      while (found.length < limits.length && survival * (1 - n / atRisk) <= limits[found.length]!) {
        const needed = Math.max(1, Math.ceil(atRisk * (1 - limits[found.length]! / survival)))
        found.push(ends[Math.min(first + needed - 1, at - 1)]!)
      }
      survival *= 1 - n / atRisk
    }
    atRisk -= n + 1
  }
  return [found[0] ?? null, found[1] ?? null, ends.length, censored.length]
}
