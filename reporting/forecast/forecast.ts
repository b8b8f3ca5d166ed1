/**
 * The number of assignments of a scope that will be completed by a date: the completed ones, plus each open one's
 * probability, from how long comparable ones took. The interval covers both the random outcomes and the sampling of the
 * curve (Poisson bootstrap of its counts with a fixed seed).
 */
import { createRandom } from './random.ts'
import { toChance, toSurvival, type Survival, type Waits } from './survival.ts'

/** Completed and censored counts by day; open ones by age in days, with some of their ids. */
export type WaitCounts = {
  completed: number
  assigned: number
  waits: Waits
  open: { age: number; n: number; assignmentIds: string[] }[]
}

export type ForecastOptions = {
  /** Days from the moment to the date. */
  days: number
  /** Of all assigned, 0..1. */
  target: number
}

export type Share = { value: number; low: number; high: number }

export type Forecast =
  | {
      kind: 'forecast'
      completed_now: number
      assigned: number
      expected: Share
      /** Open longer than the curve reaches: counted as not completed. */
      beyond_curve: number
      needed: number
      likeliest: { assignment_id: string; chance: number }[]
    }
  | { kind: 'too_little_data'; reason: 'nothing_assigned' | 'too_few_completed' | 'beyond_curve' }

/** Fewer completions than this give no curve. */
export const fewestCompleted = 30
/** Share of the open ones: if more have been open longer than the curve reaches, there is no forecast. */
const mostBeyond = 0.5
export const coverage = 0.9
const replicates = 400
/**
 * People of one challenge act alike, so outcomes vary more than independent ones. The factor is the one of 1, 2 and 3
 * that fitted two simulated companies, see docs/api.md.
 */
const overdispersion = 3
const seed = 20_260_101
const listed = 100

/** `own` is the scope, `past` gives the curve. */
export function toForecast(own: WaitCounts, past: Waits, { days, target }: ForecastOptions): Forecast {
  if (own.assigned === 0) return { kind: 'too_little_data', reason: 'nothing_assigned' }
  const known = [...past.ended.values()].reduce((total, n) => total + n, 0)
  if (known < fewestCompleted) return { kind: 'too_little_data', reason: 'too_few_completed' }
  const survival = toSurvival(past)
  const isBeyond = ({ age }: { age: number }) => age >= survival.lastDay && days > 0
  const beyond = own.open.filter(isBeyond).reduce((total, { n }) => total + n, 0)
  const openCount = own.open.reduce((total, { n }) => total + n, 0)
  if (openCount > 0 && beyond > mostBeyond * openCount) return { kind: 'too_little_data', reason: 'beyond_curve' }

  const share = toShareOf(own)
  const [interval = [0, 0] as const] = toIntervals(own, past, [days])
  const needed = Math.max(0, Math.ceil(target * own.assigned - 1e-9) - own.completed)
  return {
    kind: 'forecast',
    completed_now: own.completed,
    assigned: own.assigned,
    expected: {
      value: share(toExpected(own, survival, days)),
      low: share(interval[0]),
      high: share(interval[1]),
    },
    beyond_curve: beyond,
    needed,
    likeliest: toLikeliest(own, survival, days).slice(0, Math.min(needed, listed)),
  }
}

/** The expected share after each of some numbers of days: the forecast of each, at the price of one. */
export function toForecastCurve(own: WaitCounts, past: Waits, days: readonly number[]): Share[] {
  const survival = toSurvival(past)
  const share = toShareOf(own)
  const intervals = toIntervals(own, past, days)
  return days.map((each, index) => {
    const [low, high] = intervals[index] ?? [0, 0]
    return { value: share(toExpected(own, survival, each)), low: share(low), high: share(high) }
  })
}

/** How many of the open ones will be completed after so many days. */
function toExpected(own: WaitCounts, survival: Survival, days: number): number {
  return own.open.reduce((total, { age, n }) => total + n * toChance(survival, age, days), 0)
}

function toShareOf(own: WaitCounts): (more: number) => number {
  return (more) => Math.min(1, Math.max(0, (own.completed + more) / own.assigned))
}

/** The middle `coverage` of the replicates for the open ones, for each number of days; one replicate serves all of them. */
function toIntervals(own: WaitCounts, past: Waits, days: readonly number[]): (readonly [number, number])[] {
  const { normal, poisson } = createRandom(seed)
  const resample = (counts: ReadonlyMap<number, number>) =>
    new Map([...counts].map(([day, n]) => [day, poisson(n)] as const))
  const outcomes: number[][] = days.map(() => [])
  for (let replicate = 0; replicate < replicates; replicate++) {
    const survival = toSurvival({ ended: resample(past.ended), censored: resample(past.censored) })
    const luck = normal()
    days.forEach((each, index) => {
      const chances = own.open.map(({ age, n }) => ({ n, chance: toChance(survival, age, each) }))
      const mean = chances.reduce((total, { n, chance }) => total + n * chance, 0)
      const variance = chances.reduce((total, { n, chance }) => total + n * chance * (1 - chance), 0)
      outcomes[index]?.push(mean + Math.sqrt(overdispersion * variance) * luck)
    })
  }
  return outcomes.map((each) => {
    const sorted = each.sort((a, b) => a - b)
    const at = (quantile: number) => sorted[Math.round(quantile * (replicates - 1))] ?? 0
    return [at((1 - coverage) / 2), at((1 + coverage) / 2)] as const
  })
}

function toLikeliest(own: WaitCounts, survival: Survival, days: number) {
  return own.open
    .flatMap(({ age, assignmentIds }) => {
      const chance = toChance(survival, age, days)
      return assignmentIds.map((assignment_id) => ({ assignment_id, chance }))
    })
    .sort((a, b) => b.chance - a.chance || (a.assignment_id < b.assignment_id ? -1 : 1))
}
