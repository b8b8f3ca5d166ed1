/**
 * Facts of rows by codes. A row's *kind* is all that decides its facts at any moment, except for the clock: a small number in a column. Its
 * *clock* is which due keys lie before today, and how long ago the due day is, as a step of the ranges that facts ask for. Kind and clock
 * are its *code*. So a question adds up rows by their code, and derives facts once for each code.
 */
import { known } from '../../schemas/metrics/expression.ts'
import {
  dayRanges,
  derive,
  holds,
  primaryFacts,
  setBit,
  type Bits,
  type Condition,
} from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { compile } from '../expressions/evaluate.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import { hold, type Columns, type Derived } from './columns.ts'
import { daysOf } from './day-column.ts'
import { Cursor } from './cursor.ts'
import { inSlices } from './slices.ts'

/** Zones and ends of a due day for which kinds are kept. */
const mostHeld = 3

const factParts = primaryFacts.map(({ bit, is, due }) => ({
  bit,
  due,
  fixed: due === undefined ? is : known(due),
}))
const dueDates = factParts.flatMap(({ due }) => due ?? [])
/** The clock of a row of a kind: a bit for each due date that is past, and the days since the due day as a step. */
const mostSteps = 16
const clocksOfKind = mostSteps * 2 ** dueDates.length
const combinationsOfFacts = 2 ** factParts.length

type Kinds = Derived & {
  /** By kind: the state, and a bit for each fact of `factParts` as far as time does not decide it. */
  keys: number[]
  /** Kind and clock by code: those that rows have had. So codes are few, and lists by code short. */
  combinations: number[]
  /** Codes + 1, by combination. */
  codes: Int32Array
}

function createKinds(columns: Columns, scope: Scope): Kinds {
  const fixed = factParts.map((part) => compile<Cursor>(part.fixed, scope))
  const cursor = new Cursor(columns)
  const numbers = new Map<number, number>()
  const keys: number[] = []
  return {
    values: new Uint32Array(columns.capacity),
    keys,
    combinations: [],
    codes: new Int32Array(0),
    valueOf(row) {
      cursor.row = row
      let facts = 0
      for (let each = 0; each < fixed.length; each++) if (fixed[each]!(cursor) !== 0) facts |= 1 << each
      const key = (cursor.state & 0xff_ffff) * combinationsOfFacts + facts
      const kind = numbers.get(key) ?? keys.push(key) - 1
      numbers.set(key, kind)
      return kind
    },
  }
}

function toCode(kinds: Kinds, combination: number): number {
  if (combination >= kinds.codes.length) {
    const codes = new Int32Array(2 * kinds.keys.length * clocksOfKind)
    codes.set(kinds.codes)
    kinds.codes = codes
  }
  return (kinds.codes[combination] ||= kinds.combinations.push(combination)) - 1
}

/** The facts of rows at a moment, by their index. */
export type Facts = Omit<Judge, 'codeOf'> & { codes: Uint32Array }

export async function readFacts(columns: Columns, rows: Uint32Array, scope: Scope): Promise<Facts> {
  const { codeOf, ...facts } = await createJudge(columns, scope)
  const codes = new Uint32Array(rows.length)
  await inSlices(rows.length, (index) => void (codes[index] = codeOf(rows[index]!)))
  return { ...facts, codes }
}

/** Any row at a moment: a code, and its meaning. Codes of the same kinds are comparable. */
type Judge = { codeOf: (row: number) => number; size: () => number; of: (code: number) => Bits; kinds: Kinds }

export async function createJudge(columns: Columns, scope: Scope): Promise<Judge> {
  const { dueZone, dueEnd, asOf, dueSoonDays } = scope
  const kinds = await hold(columns, `kinds ${dueZone} ${dueEnd}`, mostHeld, () => createKinds(columns, scope))
  const isInstant = dueEnd === 'instant'
  const today = daysIn(dueZone).of(asOf)
  const now = isInstant ? asOf : today
  const keys: (Float64Array | Uint16Array)[] = []
  for (const due of dueDates) keys.push(isInstant ? columns.values[due] : await daysOf(columns, due, dueZone))
  const dueDays = await daysOf(columns, 'due_date', dueZone)
  const starts = [...new Set(dayRanges(dueSoonDays).flatMap(([from, to]) => [from, to + 1]))].sort(
    (a, b) => a - b,
  )
  if (starts.length >= mostSteps)
    throw new RangeError('There are more ranges of days than a code has room for')
  const steps = new Uint8Array(65_536)
  for (const [step, start] of starts.entries()) steps.fill(step + 1, 0, Math.max(0, today - start + 1))

  const kindOf = kinds.values
  const codeOf = (row: number): number => {
    let late = 0
    for (let each = 0; each < keys.length; each++) if (keys[each]![row]! < now) late |= 1 << each
    return toCode(kinds, kindOf[row]! * clocksOfKind + late * mostSteps + steps[dueDays[row]!]!)
  }

  const memo: Bits[] = []
  const of = (code: number): Bits => {
    const hit = memo[code]
    if (hit !== undefined) return hit
    const combination = kinds.combinations[code]!
    const step = combination % mostSteps
    const late = Math.floor(combination / mostSteps) % 2 ** dueDates.length
    const key = kinds.keys[Math.floor(combination / clocksOfKind)]!
    const bits: Bits = {
      low: Math.floor(key / combinationsOfFacts),
      high: 0,
      days: step === 0 ? -Infinity : starts[step - 1]!,
    }
    for (const [each, { bit, due }] of factParts.entries()) {
      const isTime = due === undefined || ((late >> dueDates.indexOf(due)) & 1) === 1
      if (isTime && (((key % combinationsOfFacts) >> each) & 1) === 1) setBit(bits, bit)
    }
    return (memo[code] = derive(bits, dueSoonDays))
  }
  return { codeOf, size: () => kinds.combinations.length, of, kinds }
}

/** A whole number from 0 on that follows from facts, worked out once a code. */
export function onceACode(
  { size, of }: Pick<Facts, 'size' | 'of'>,
  work: (bits: Bits) => number,
): (code: number) => number {
  // A code that first comes later is worked out each time.
  const memo = new Int32Array(size())
  return (code) => (memo[code] ||= work(of(code)) + 1) - 1
}

/** Whether a condition holds: 1 or 0. */
export const decide = (facts: Facts, condition: Condition, dueSoonDays = 0): ((code: number) => number) =>
  onceACode(facts, (bits) => Number(holds(condition, bits, dueSoonDays)))
