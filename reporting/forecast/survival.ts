/** Kaplan-Meier over whole days; ends count before censorings at ties. */
export type Waits = { ended: ReadonlyMap<number, number>; censored: ReadonlyMap<number, number> }

export type Survival = {
  /** The share still open after this day; beyond the last observed day, that day's share. */
  at(day: number): number
  /** The last day with anybody at risk; nothing is known beyond it. */
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

/** The probability of completion within `days` more after `age` days: 1 - S(age + days) / S(age). */
export function toChance(survival: Survival, age: number, days: number): number {
  const before = survival.at(age)
  return before <= 0 ? 0 : Math.max(0, 1 - survival.at(age + days) / before)
}

function sum(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((total, n) => total + n, 0)
}
