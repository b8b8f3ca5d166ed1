/**
 * How far off the forecast would have been at past moments, and so how wide its interval has to be (conformal prediction). Differences
 * from one assignment to another even out in a large scope; events that befall all at once, such as a quiet month, do not. The first
 * is known from the chances, the second is measured: `shock`, as a share of everybody's daily chance.
 */
import { fitHazard, noDue, toChances, type PastWaits } from './hazard.ts'

export type OpenGroup = { age: number; left: number; n: number }

/** How many of some open assignments are completed after some days, and how that varies by chance, and with a shock of 1. */
export type Outlook = { mean: number; variance: number; shock: number }

export type Calibration = {
  shock: number
  /** The past moments that were looked at, and those of them at which the interval would have held. */
  moments: number
  held: number
}

export const coverage = 0.9
/** With fewer, nine of ten of them say nothing. */
export const fewestMoments = 10
const mostMoments = 14
const step = 7
/** The fewest completions by a past moment that allow a forecast then. */
export const fewestThen = 30
const fewestOpen = 5
/** The standard normal quantile of the middle 90 %. */
const z = 1.645

export function toOutlooks(
  chancesOf: (age: number, left: number) => readonly number[],
  open: Iterable<OpenGroup>,
  count: number,
): Outlook[] {
  const outlooks = Array.from({ length: count }, () => ({ mean: 0, variance: 0, shock: 0 }))
  for (const { age, left, n } of open) {
    const chances = chancesOf(age, left)
    for (const [index, outlook] of outlooks.entries()) {
      const chance = chances[index] ?? 0
      outlook.mean += n * chance
      outlook.variance += n * chance * (1 - chance)
      if (chance < 1) outlook.shock -= n * (1 - chance) * Math.log(1 - chance)
    }
  }
  return outlooks
}

/** The half of the interval. */
export function toReach({ variance, shock }: Outlook, measured: number): number {
  return Math.hypot(z * Math.sqrt(variance), measured * shock)
}

/** For each of some numbers of days, ascending; `null`: there are too few past moments. */
export function calibrate(past: PastWaits, days: readonly number[]): (Calibration | null)[] {
  const needed: number[][] = days.map(() => [])
  const longest = days.at(-1) ?? 0
  for (let daysAgo = step; daysAgo <= longest + step * mostMoments; daysAgo += step) {
    const ahead = days.filter((each) => each > 0 && each <= daysAgo && daysAgo < each + step * (mostMoments + 1))
    if (ahead.length === 0) continue
    const then = lookBack(past, daysAgo, ahead)
    if (then === null) continue
    for (const [index, { outlook, actual }] of then.entries()) {
      const off = Math.abs(actual - outlook.mean)
      const beyond = Math.sqrt(Math.max(0, off ** 2 - z ** 2 * outlook.variance))
      needed[days.indexOf(ahead[index] ?? 0)]?.push(beyond === 0 ? 0 : beyond / Math.max(outlook.shock, 1e-9))
    }
  }
  return needed.map((each) => {
    if (each.length < fewestMoments) return null
    const sorted = each.toSorted((a, b) => a - b)
    const shock = sorted[Math.ceil(coverage * sorted.length) - 1] ?? 0
    return { shock, moments: sorted.length, held: sorted.filter((one) => one <= shock).length }
  })
}

/** The forecast of a past moment, and the completions that came. */
function lookBack(past: PastWaits, daysAgo: number, days: readonly number[]) {
  const { born, ended, completed, due } = past
  const groups = new Map<number, OpenGroup>()
  const actual = days.map(() => 0)
  let [done, open] = [0, 0]
  for (let index = 0; index < born.length; index++) {
    const age = (born[index] ?? 0) - daysAgo
    if (age < 0) continue
    const end = ended[index] ?? -1
    if (end >= daysAgo) {
      done += completed[index] ?? 0
      continue
    }
    open++
    const left = due[index] === noDue ? noDue : (due[index] ?? 0) + daysAgo
    const key = age * 65_536 + left
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { age, left, n: 1 })
    else group.n++
    if (completed[index] === 1) {
      for (const [at, each] of days.entries()) if (end >= daysAgo - each) actual[at] = (actual[at] ?? 0) + 1
    }
  }
  if (done < fewestThen || open < fewestOpen) return null
  const hazard = fitHazard(past, daysAgo)
  const outlooks = toOutlooks((age, left) => toChances(hazard, age, left, days), groups.values(), days.length)
  return outlooks.map((outlook, index) => ({ outlook, actual: actual[index] ?? 0 }))
}
