/** Kaplan-Meier over whole days: of those still open on a day, who ends on it; ends before censorings at ties. */
export type Waits = { ended: ReadonlyMap<number, number>; censored: ReadonlyMap<number, number> }

export type Survival = {
  /** The share still open after this day; of days that nobody has lived through, that of the last one. */
  at(day: number): number
  /** The last day on which anybody was still at risk; beyond it nothing is known. */
  lastDay: number
}

export function toSurvival({ ended, censored }: Waits): Survival {
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

/** The chance of being completed within `days` more, having been open for `age` days: 1 - S(age + days) / S(age). */
export function toChance(survival: Survival, age: number, days: number): number {
  const before = survival.at(age)
  return before <= 0 ? 0 : Math.max(0, 1 - survival.at(age + days) / before)
}

function sum(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((total, n) => total + n, 0)
}
