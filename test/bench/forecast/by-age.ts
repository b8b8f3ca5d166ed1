/**
 * The forecast by age alone, which the product had before: a Kaplan-Meier curve of how long assignments took, and the middle 90 % of 400
 * replicates. What the product's own is held against.
 */
import type { WaitCounts, Waits } from '../../../reporting/forecast/forecast.ts'
import { createRandom } from '../../support/data/random.ts'

type Share = { value: number; low: number; high: number }

const coverage = 0.9
const replicates = 400
const overdispersion = 3
const seed = 20_260_101

/** The expected share after each of some numbers of days: the forecast of each, at the price of one. */
export function forecastByAge(own: WaitCounts, past: Waits, days: readonly number[]): Share[] {
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

type Survival = {
  /** The share still open after this day; beyond the last observed day, that day's share. */
  at(day: number): number
  /** The last day with anybody at risk; nothing is known beyond it. */
  lastDay: number
}

function toSurvival({ ended, censored }: Waits): Survival {
  const lastDay = Math.max(-1, ...ended.keys(), ...censored.keys())
  let atRisk = sum(ended) + sum(censored)
  let share = 1
  const shares: number[] = []
  for (let day = 0; day <= lastDay; day++) {
    const ends = ended.get(day) ?? 0
    if (atRisk > 0) share *= 1 - ends / atRisk
    atRisk -= ends + (censored.get(day) ?? 0)
    shares.push(share)
  }
  return { at: (day) => (day < 0 ? 1 : (shares[Math.min(day, lastDay)] ?? 1)), lastDay }
}

/** The probability of completion within `days` more after `age` days: 1 - S(age + days) / S(age). */
function toChance(survival: Survival, age: number, days: number): number {
  const before = survival.at(age)
  return before <= 0 ? 0 : Math.max(0, 1 - survival.at(age + days) / before)
}

function sum(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((total, n) => total + n, 0)
}
