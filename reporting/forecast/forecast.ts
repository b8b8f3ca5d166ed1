/**
 * The number of assignments of a scope that will be completed by a date: the completed ones, plus each open one's chance, by its age and
 * its due date. The interval is as wide as it had to be at past moments.
 */
import { calibrate, fewestThen as fewestCompleted, toOutlooks, toReach, type Calibration } from './calibrate.ts'
import { fitHazards, toChances, type PastWaits } from './hazard.ts'

/** Completed and censored counts by day; open ones by age and days left in days, with some of their ids. */
export type WaitCounts = {
  completed: number
  assigned: number
  waits: Waits
  /** `left`: days until it is due, negative once it was; `noDue`: it has no due date. */
  open: { age: number; left: number; n: number; assignmentIds: string[] }[]
}

type Waits = { ended: ReadonlyMap<number, number>; censored: ReadonlyMap<number, number> }

type ForecastOptions = {
  /** Days from the moment to each date, ascending; the last is the date of the forecast. */
  days: readonly number[]
  /** Share of all assigned, 0..1; `null`: there is no target. */
  target: number | null
}

/** `null` ends: the interval cannot be calibrated yet. */
export type Share = { value: number; low: number | null; high: number | null }

export type Forecast =
  | {
      kind: 'forecast'
      assigned: number
      expected: Share
      /** The share at each of the days. */
      points: Share[]
      /** How many of the past moments that it is calibrated on the interval would have held; `null`: they are too few. */
      calibration: Pick<Calibration, 'moments' | 'held'> | null
      /** Open longer than anything known: counted as not completed. */
      beyond_curve: number
      /** More completions that reach the target. */
      needed: number | null
      likeliest: { assignment_id: string; chance: number }[]
    }
  | { kind: 'too_little_data'; reason: 'nothing_assigned' | 'too_few_completed' | 'beyond_curve' }

/** Share of the open ones: if more have been open longer than anything known, there is no forecast. */
const mostBeyond = 0.5
const listed = 100

/** `own` is the scope, `past` the comparable assignments. */
export function toForecast(waits: WaitCounts, past: PastWaits, { days, target }: ForecastOptions): Forecast {
  if (waits.assigned === 0) return { kind: 'too_little_data', reason: 'nothing_assigned' }
  if (toCompleted(past) < fewestCompleted) return { kind: 'too_little_data', reason: 'too_few_completed' }
  const lastDay = past.born.reduce(
    (most, born, index) => Math.max(most, born - Math.max(0, past.ended[index] ?? 0)),
    -1,
  )
  const last = days.at(-1) ?? 0
  const beyond = waits.open.filter(({ age }) => age >= lastDay && last > 0).reduce((total, { n }) => total + n, 0)
  const openCount = waits.open.reduce((total, { n }) => total + n, 0)
  if (openCount > 0 && beyond > mostBeyond * openCount) return { kind: 'too_little_data', reason: 'beyond_curve' }

  const hazard = fitHazards(past, [0])[0]!
  const chancesOf = (age: number, left: number) =>
    age >= lastDay ? days.map(() => 0) : toChances(hazard, age, left, days)
  const outlooks = toOutlooks(chancesOf, waits.open, days.length)
  const calibrations = calibrate(past, days)
  const share = (more: number) =>
    Math.min(1, Math.max(0, (waits.completed + Math.min(openCount, Math.max(0, more))) / waits.assigned))
  const points = outlooks.map((outlook, index): Share => {
    const measured = days[index] === 0 ? 0 : calibrations[index]?.shock
    if (measured === undefined) return { value: share(outlook.mean), low: null, high: null }
    const reach = toReach(outlook, measured)
    return { value: share(outlook.mean), low: share(outlook.mean - reach), high: share(outlook.mean + reach) }
  })
  const needed = target === null ? null : Math.max(0, Math.ceil(target * waits.assigned - 1e-9) - waits.completed)
  const calibration = calibrations.at(-1) ?? null
  return {
    kind: 'forecast',
    assigned: waits.assigned,
    expected: points.at(-1) ?? { value: share(0), low: null, high: null },
    points,
    calibration: calibration && { moments: calibration.moments, held: calibration.held },
    beyond_curve: beyond,
    needed,
    likeliest: toLikeliest(waits, (age, left) => chancesOf(age, left).at(-1) ?? 0).slice(
      0,
      Math.min(needed ?? 0, listed),
    ),
  }
}

export function toCompleted({ completed }: PastWaits): number {
  return completed.reduce((total, one) => total + one, 0)
}

function toLikeliest(waits: WaitCounts, chanceOf: (age: number, left: number) => number) {
  return waits.open
    .flatMap(({ age, left, assignmentIds }) => {
      const chance = chanceOf(age, left)
      return assignmentIds.map((assignment_id) => ({ assignment_id, chance }))
    })
    .sort((a, b) => b.chance - a.chance || (a.assignment_id < b.assignment_id ? -1 : 1))
}
