/** The blocks of an answer, counted over the rows in scope. */
import { daysIn, toDate } from '../../schemas/metrics/calendar.ts'
import type { FactCount } from '../../schemas/metrics/facts.ts'
import { durationKeys } from '../../schemas/metrics/metrics.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { dayKinds, type Blocks, type DayKind, type Detail } from '../metrics/blocks.ts'
import type { Columns } from './columns.ts'
import { daysOf } from './day-column.ts'
import { createDurations, Waits } from './durations.ts'
import type { Memory } from './memory.ts'
import { rank } from './rankings.ts'
import { forEachRow, select, type InScope, type Selection } from './select.ts'
import { nextTurn } from './slices.ts'
import { sort } from './sort.ts'

const bit = (fact: keyof typeof stateBits): number => 1 << stateBits[fact]
const [completedBit, gradedBit, gradeKnownBit] = [bit('completed'), bit('graded'), bit('grade_known')]
const nothingMeasured = { p50_ms: null, p90_ms: null, n: 0, censored: 0 }

const nothing: Blocks = {
  facts: [],
  people: [0, 0],
  challenges: [],
  team_sets: [],
  due_weeks: [],
  days: ofEach(dayKinds, () => []),
  ages: toAges([]),
  grade: toGrade([]),
  durations: ofEach(durationKeys, () => nothingMeasured),
}

export async function tally(memory: Memory, inScope: InScope, detail: Detail): Promise<Blocks> {
  const { scope } = inScope
  const selections = await select(memory, inScope)
  const counts = { facts: countFacts(selections), people: await countPeople(memory, selections) }
  if (detail === 'counts') return { ...nothing, ...counts }
  const measured = await measure(selections, scope)
  if (detail === 'metrics') return { ...nothing, ...counts, ...measured }
  return {
    ...counts,
    ...measured,
    challenges: await rank(memory, selections, scope, 'challenge'),
    team_sets: await rank(memory, selections, scope, 'team'),
    due_weeks: await rank(memory, selections, scope, 'due_week'),
  }
}

/** People in scope, and those of them who have completed everything. */
async function countPeople(
  { ids: { user_id: users } }: Memory,
  selections: readonly Selection[],
): Promise<Blocks['people']> {
  const [all, goingOn] = [new Uint8Array(users.names.length), new Uint8Array(users.names.length)]
  await forEachRow(selections, ({ columns: { values } }) => (row) => {
    const user = values.user_id[row]!
    all[user] = 1
    if ((values.state[row]! & completedBit) === 0) goingOn[user] = 1
  })
  const unknown = users.find('')
  const people: Blocks['people'] = [0, 0]
  for (let id = 0; id < all.length; id++) {
    if (all[id] === 0 || id === unknown) continue
    people[0]++
    if (goingOn[id] === 0) people[1]++
  }
  return people
}

function ofEach<Key extends string, Value>(
  keys: readonly Key[],
  create: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, create(key)])) as Record<Key, Value>
}

/** Days, grades, and how long things take. */
async function measure(
  selections: readonly Selection[],
  scope: Scope,
): Promise<Pick<Blocks, 'days' | 'ages' | 'grade' | 'durations'>> {
  const { asOf, timeZone } = scope
  /** How many fall on each day since 1970. */
  const byDay = ofEach(dayKinds, () => new Uint32Array(65_536))
  const [grades, ages]: [number[], number[]] = [[], []]
  const waits = ofEach(durationKeys, () => new Waits())
  const forEachSpan = createSpans(scope)
  const days = daysIn(timeZone)
  /** On which days it became overdue, and ceased to be. */
  const addSpan = (began: number, ended: number, isTurn: boolean) => {
    const day = days.of(began)
    byDay.overdue_began[day]!++
    if (isTurn) byDay.overdue_turned[day]!++
    if (ended <= asOf) byDay.overdue_ended[days.of(ended)]!++
  }
  await forEachRow(selections, async (selection) => {
    const { columns } = selection
    const { state: states, class: classes, completed_at, first_submitted_at, grade } = columns.values
    const durations = durationKeys.map(
      (key) => [createDurations(key, selection, asOf), waits[key].add] as const,
    )
    const createdOn = await daysOf(columns, 'created_at', timeZone)
    const completedOn = await daysOf(columns, 'completed_at', timeZone)
    const gradedOn = await daysOf(columns, 'first_graded_at', timeZone)
    return (row, code) => {
      const state = states[row]!
      const isCompleted = (state & completedBit) !== 0
      const isGraded = (state & gradedBit) !== 0
      const completed = completed_at[row]!
      byDay.created[createdOn[row]!]!++
      if (isCompleted) byDay.created_completed[createdOn[row]!]!++
      if (isCompleted && completed !== 0 && completed <= asOf) byDay.completed[completedOn[row]!]!++
      if (isGraded) byDay.graded[gradedOn[row]!]!++
      if (isGraded && (state & gradeKnownBit) !== 0) grades.push(grade[row]!)
      if (classes[row] === 1) ages.push(asOf - first_submitted_at[row]!)
      for (const [measureRow, add] of durations) measureRow(row, code, add)
      forEachSpan(columns, row, addSpan)
    }
  })
  const durations: Partial<Blocks['durations']> = {}
  for (const key of durationKeys) {
    await nextTurn()
    durations[key] = waits[key].toQuantiles()
  }
  await nextTurn()
  return {
    days: ofEach(dayKinds, (kind) => toDates(byDay[kind])),
    ages: toAges(ages),
    grade: toGrade(grades),
    durations: durations as Blocks['durations'],
  }
}

function toDates(counts: Uint32Array): Blocks['days'][DayKind] {
  const dates: Blocks['days'][DayKind] = []
  for (let day = 0; day < counts.length; day++) if (counts[day]! > 0) dates.push([toDate(day), counts[day]!])
  return dates
}

export type UseSpan = (began: number, ended: number, isTurn: boolean) => void

/** When a row was overdue. Where a span begins just when the one before ended, both are one turn. */
export function createSpans({
  asOf,
  dueZone,
  dueEnd,
}: Scope): (columns: Columns, row: number, use: UseSpan) => void {
  const dueDays = daysIn(dueZone)
  return (columns, row, use) => {
    const { spans } = columns
    const first = columns.values.due_spans[row]! + 1
    let before = NaN
    for (let span = first; span < first + spans[first - 1]!; span += 3) {
      const due = spans[span + 2]!
      const began = Math.max(spans[span]!, dueEnd === 'instant' ? due + 1 : dueDays.after(dueDays.of(due)))
      const ended = spans[span + 1]!
      if (began >= ended || began > asOf) continue
      use(began, ended, began !== before)
      before = ended
    }
  }
}

function countFacts(selections: readonly Selection[]): Blocks['facts'] {
  const sums = new Map<string, FactCount>()
  for (const { facts } of selections) {
    const counts = new Uint32Array(facts.size())
    for (const code of facts.codes) counts[code]!++
    for (const [code, n] of counts.entries()) {
      if (n === 0) continue
      const { low, high } = facts.of(code)
      const key = `${low} ${high}`
      sums.set(key, { low, high, days: NaN, n: n + (sums.get(key)?.n ?? 0) })
    }
  }
  return [...sums.values()]
}

/** The median of an even number is the mean of the middle two. Halved first: the sum of the largest is infinite. */
export function toMedian(sorted: Float64Array): number | null {
  const half = Math.ceil(sorted.length / 2)
  return half === 0 ? null : sorted[half - 1]! / 2 + sorted[sorted.length - half]! / 2
}

function toAges(ages: readonly number[]): Blocks['ages'] {
  const sorted = sort(new Float64Array(ages))
  return { p50_age_ms: toMedian(sorted), oldest_age_ms: sorted.at(-1) ?? null }
}

/** Bins by tens, below the first and above the last with it. */
function toGrade(grades: readonly number[]): Blocks['grade'] {
  const sorted = sort(new Float64Array(grades))
  let sum = 0
  const histogram = Array.from({ length: 10 }, (_, bin) => ({ from: bin * 10, to: bin * 10 + 10, count: 0 }))
  for (const grade of sorted) {
    sum += grade
    histogram[toBin(grade)]!.count++
  }
  const mean = sum / sorted.length
  return { n: sorted.length, mean: Number.isFinite(mean) ? mean : null, median: toMedian(sorted), histogram }
}

export function toBin(grade: number): number {
  return Math.min(Math.max(Math.floor(grade / 10), 0), 9)
}
