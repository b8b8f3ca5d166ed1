/**
 * How likely an open assignment is to be completed on a day, by its age and by the days left until it is due: a table of past days
 * and completions. Few days in a cell lean on its row and column, these on the whole.
 */

/** Assignments in columns, one index each. Days are whole ones before the moment, so larger is earlier. */
export type PastWaits = {
  /** Days since it was created. */
  born: readonly number[]
  /** Days since it was completed or failed; -1: it is open. */
  ended: readonly number[]
  /** 1: it was completed. */
  completed: readonly number[]
  /** Days until it is due, negative once it was; `noDue`: it has no due date. */
  due: readonly number[]
}

export const noDue = 32_767

/** Where a bin of ages, and of days left, begins. */
const ageStarts = [0, 1, 2, 3, 5, 7, 10, 14, 21, 28, 42, 56, 84, 120, 180, 270, 365]
const leftStarts = [-Infinity, -59, -28, -14, -6, -2, 0, 1, 2, 3, 5, 8, 14, 28]
const leftBins = leftStarts.length + 1
/** Ages from here on are one. */
const lastAge = 365
const [leastLeft, mostLeft] = [-60, 29]

const ageBin = Uint8Array.from({ length: lastAge + 1 }, (_, age) => ageStarts.findLastIndex((start) => age >= start))
const leftBin = Uint8Array.from({ length: mostLeft - leastLeft + 1 }, (_, index) =>
  leftStarts.findLastIndex((start) => index + leastLeft >= start),
)

/** The chance of each cell, on a day: to be completed, and to fail, after which it is not completed. */
type Hazard = { completed: Float64Array; failed: Float64Array }

function cellOf(age: number, left: number): number {
  const row = ageBin[age > lastAge ? lastAge : age < 0 ? 0 : age] ?? 0
  if (left > 20_000) return row * leftBins + leftBins - 1
  const column = leftBin[(left < leastLeft ? leastLeft : left > mostLeft ? mostLeft : left) - leastLeft] ?? 0
  return row * leftBins + column
}

/** As many completions as a cell, a column and a row need to count as much as the estimate they lean on. */
const strength = 3

/**
 * The chances by what was known at each of some moments, given as days ago, ascending. A day of an assignment counts at all moments after it: each is
 * added to the earliest of these, and the moments are summed up afterwards.
 */
export function fitHazards({ born, ended, completed, due }: PastWaits, moments: readonly number[]): Hazard[] {
  const cells = ageStarts.length * leftBins
  const create = () => moments.map(() => new Float64Array(cells))
  const [days, ends] = [create(), { completed: create(), failed: create() }]
  const newest = moments[0] ?? Infinity
  for (let index = 0; index < born.length; index++) {
    const from = born[index] ?? 0
    const end = ended[index] ?? -1
    const last = from - Math.max(end, newest)
    const left = due[index] ?? noDue
    let moment = moments.length - 1
    for (let age = 0; age <= last;) {
      while (moments[moment]! > from - age) moment--
      const leftThen = left === noDue ? noDue : left + from - age
      const cell = cellOf(age, leftThen)
      const next = Math.min(last + 1, toNextCell(age, leftThen), from - moments[moment]! + 1)
      days[moment]![cell]! += next - age
      age = next
      if (age <= last || end < newest) continue
      const ending = completed[index] === 1 ? ends.completed : ends.failed
      ending[moment]![cell]!++
    }
  }
  for (const tables of [days, ends.completed, ends.failed]) sumUp(tables)
  return moments.map((_, moment) => ({
    completed: smooth(days[moment]!, ends.completed[moment]!),
    failed: smooth(days[moment]!, ends.failed[moment]!),
  }))
}

/** Adds to each table those after it. */
function sumUp(tables: readonly Float64Array[]): void {
  for (let at = tables.length - 2; at >= 0; at--) {
    const [table, next] = [tables[at]!, tables[at + 1]!]
    for (let cell = 0; cell < table.length; cell++) table[cell]! += next[cell]!
  }
}

/** The first later age at which the cell is another one. */
function toNextCell(age: number, left: number): number {
  const nextAge = ageStarts[(ageBin[Math.min(age, lastAge)] ?? 0) + 1] ?? Infinity
  if (left > 20_000 || left < leastLeft) return nextAge
  // Days left fall while the age rises: to the last of the bin below.
  const start = left > mostLeft ? mostLeft - 1 : (leftStarts[leftBin[left - leastLeft] ?? 0] ?? -Infinity)
  return start === -Infinity ? nextAge : Math.min(nextAge, age + left - start + 1)
}

function smooth(days: Float64Array, ends: Float64Array): Float64Array {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  if (sum(ends) === 0) return new Float64Array(days.length)
  const whole = sum(ends) / sum(days)
  const rows = ageStarts.map((_, row) => {
    const [n, d] = [sumRow(ends, row), sumRow(days, row)]
    return (n + 1) / (d + 1 / whole)
  })
  const columns = Array.from({ length: leftBins }, (_, column) => {
    let [n, expected] = [0, 0]
    for (const [row, chance] of rows.entries()) {
      n += ends[row * leftBins + column] ?? 0
      expected += (days[row * leftBins + column] ?? 0) * chance
    }
    return (n + 1) / (expected + 1)
  })
  const hazard = new Float64Array(days.length)
  for (const [row, chance] of rows.entries()) {
    for (const [column, factor] of columns.entries()) {
      const cell = row * leftBins + column
      const prior = Math.min(0.9, chance * factor)
      hazard[cell] = Math.min(0.95, ((ends[cell] ?? 0) + strength) / ((days[cell] ?? 0) + strength / prior))
    }
  }
  return hazard
}

function sumRow(values: Float64Array, row: number): number {
  return values.subarray(row * leftBins, (row + 1) * leftBins).reduce((total, value) => total + value, 0)
}

/** The chance to be completed within each of some numbers of days, ascending, of one open for `age` days and due in `left`. */
export function toChances(hazard: Hazard, age: number, left: number, days: readonly number[]): number[] {
  let [open, completed, passed] = [1, 0, 0]
  return days.map((until) => {
    for (; passed < until; passed++) {
      const day = left === noDue ? noDue : left - passed - 1
      const cell = cellOf(age + passed + 1, day)
      const chance = hazard.completed[cell] ?? 0
      completed += open * chance
      open *= Math.max(0, 1 - chance - (hazard.failed[cell] ?? 0))
    }
    return completed
  })
}
