/** The blocks of an answer, counted over the rows in scope. */
import { daysIn, toDate } from '../../schemas/metrics/calendar.ts'
import type { FactCount } from '../../schemas/metrics/facts.ts'
import { durationKeys, type DurationKey } from '../../schemas/metrics/metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { dayKinds, type Blocks, type DayKind, type Detail } from '../metrics/blocks.ts'
import type { Columns } from './columns.ts'
import { daysOf } from './day-column.ts'
import { forEachDuration, toQuantiles } from './durations.ts'
import type { Arrays } from './arrays.ts'
import type { Memory } from './memory.ts'
import { rank } from './rankings.ts'
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
  toDates(): Blocks['days'][DayKind] {
    this.arrays.giveBack(this.counts)
    return this.days.sort((a, b) => a - b).map((day) => [toDate(day), this.counts[day]!])
  }
}

const bit = (fact: keyof typeof stateBits): number => 1 << stateBits[fact]
const [completedBit, gradedBit, gradeKnownBit] = [bit('completed'), bit('graded'), bit('grade_known')]
const nothingMeasured = { p50_ms: null, p90_ms: null, n: 0, censored: 0 }

const nothing: Blocks = {
  facts: [],
  people: [0, 0],
  challenges: [],
  team_sets: [],
  due_weeks: [],
  days: ofEachKind(() => []),
  ages: toAges(new Float64Array()),
  grade: toGrade(new Float64Array()),
  durations: ofEachDuration(() => nothingMeasured),
}

export async function tally(memory: Memory, inScope: InScope, detail: Detail): Promise<Blocks> {
  const selections = await select(memory, inScope)
  const counts = { facts: await countFacts(selections), people: await countPeople(memory, selections) }
  if (detail === 'counts') return { ...nothing, ...counts }
  const { byDay, gradesAndAges, durations } = await measure(memory, selections, inScope.scope)
  const [sortedGrades, sortedAges] = await gradesAndAges.sorted()
  const quantiles = { ...nothing.durations }
  for (const key of durationKeys) quantiles[key] = toQuantiles(...(await durations[key].sorted()))
  return {
    ...nothing,
    ...counts,
    ...(detail === 'overview' && {
      challenges: await rank(memory, selections, inScope.scope, 'challenge'),
      team_sets: await rank(memory, selections, inScope.scope, 'team'),
      due_weeks: await rank(memory, selections, inScope.scope, 'due_week'),
    }),
    days: ofEachKind((kind) => byDay[kind].toDates()),
    ages: toAges(sortedAges),
    grade: toGrade(sortedGrades),
    durations: quantiles,
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

function ofEachDuration<Value>(create: () => Value): Record<DurationKey, Value> {
  return Object.fromEntries(durationKeys.map((key) => [key, create()])) as Record<DurationKey, Value>
}

function ofEachKind<Value>(create: (kind: DayKind) => Value): Record<DayKind, Value> {
  return Object.fromEntries(dayKinds.map((kind) => [kind, create(kind)])) as Record<DayKind, Value>
}

/** Days, grades, and how long things take. */
async function measure({ arrays }: Memory, selections: readonly Selection[], scope: Scope) {
  const { asOf, timeZone } = scope
  const byDay = ofEachKind(() => new DayCounts(arrays))
  const most = selections.reduce((sum, { rows }) => sum + rows.length, 0)
  const gradesAndAges = new TwoLists(arrays.borrow(2 * most))
  /** Those that have ended come first. */
  const durations = ofEachDuration(() => new TwoLists(arrays.borrow(most)))
  const forEachSpan = createSpans(scope)
  const days = daysIn(timeZone)
  /** On which days it became overdue, and ceased to be. */
  const addSpan = (began: number, ended: number, isTurn: boolean) => {
    const day = days.of(began)
    byDay.overdue_began.add(day)
    if (isTurn) byDay.overdue_turned.add(day)
    if (ended <= asOf) byDay.overdue_ended.add(days.of(ended))
  }
  for (const selection of selections) {
    const { columns, rows } = selection
    const { state: states, classes } = columns
    const { completed_at, first_submitted_at } = columns.at
    for (const key of durationKeys) {
      const list = durations[key]
      await forEachDuration(key, selection, asOf, (ms, hasEnded) =>
        hasEnded ? list.addFirst(ms) : list.addSecond(ms),
      )
    }
    const createdOn = await daysOf(columns, 'created_at', timeZone)
    const completedOn = await daysOf(columns, 'completed_at', timeZone)
    const gradedOn = await daysOf(columns, 'first_graded_at', timeZone)
    await inSlices(rows.length, (first, end) => {
      for (let index = first; index < end; index++) {
        const row = rows[index]!
        const state = states[row]!
        const isCompleted = (state & completedBit) !== 0
        const isGraded = (state & gradedBit) !== 0
        const completed = completed_at[row]!
        byDay.created.add(createdOn[row]!)
        if (isCompleted) byDay.created_completed.add(createdOn[row]!)
        if (isCompleted && completed !== 0 && completed <= asOf) byDay.completed.add(completedOn[row]!)
        if (isGraded) byDay.graded.add(gradedOn[row]!)
        if (isGraded && (state & gradeKnownBit) !== 0) gradesAndAges.addFirst(columns.numbers.grade[row]!)
        if (classes[row] === 1) gradesAndAges.addSecond(asOf - first_submitted_at[row]!)
        forEachSpan(columns, row, addSpan)
      }
    })
  }
  return { byDay, gradesAndAges, durations }
}

export type UseSpan = (began: number, ended: number, isTurn: boolean) => void

/** When a row was overdue. Where a span begins just when the one before ended, both are one turn. */
export function createSpans({
  asOf,
  dueZone,
  dueEnd,
}: Scope): (columns: Columns, row: number, use: UseSpan) => void {
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
  const sums = new Map<string, FactCount>()
  for (const { facts } of selections) {
    const counts = new Int32Array(facts.size())
    await inSlices(facts.codes.length, (from, to) => {
      for (let index = from; index < to; index++) counts[facts.codes[index]!]!++
    })
    for (let code = 0; code < counts.length; code++) {
      if (counts[code] === 0) continue
      const { low, high } = facts.of(code)
      const key = `${low} ${high}`
      const n = (sums.get(key)?.n ?? 0) + counts[code]!
      sums.set(key, { low, high, days: NaN, n })
    }
  }
  return [...sums.values()]
}

/** The median of an even number is the mean of the middle two. Halved first: the sum of the largest is infinite. */
export function toMedian(sorted: Float64Array): number | null {
  const half = Math.ceil(sorted.length / 2)
  return half === 0 ? null : sorted[half - 1]! / 2 + sorted[sorted.length - half]! / 2
}

function toAges(sorted: Float64Array): Blocks['ages'] {
  return { p50_age_ms: toMedian(sorted), oldest_age_ms: sorted.at(-1) ?? null }
}

/** Bins by tens, below the first and above the last with it. */
function toGrade(sorted: Float64Array): Blocks['grade'] {
  const mean = sorted.reduce((sum, grade) => sum + grade, 0) / sorted.length
  const ends = Array.from({ length: 10 }, (_, bin) =>
    bin === 9 ? sorted.length : findFirst(sorted, 10 * (bin + 1)),
  )
  return {
    n: sorted.length,
    mean: Number.isFinite(mean) ? mean : null,
    median: toMedian(sorted),
    histogram: ends.map((end, bin) => ({
      from: bin * 10,
      to: bin * 10 + 10,
      count: end - (ends[bin - 1] ?? 0),
    })),
  }
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
