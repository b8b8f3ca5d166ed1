/**
 * How far off the forecast would have been at past moments, and so how wide its interval has to be (conformal prediction). Differences
 * from one assignment to another even out in a large scope; events that befall all at once, such as a quiet month, do not. The first
 * is known from the chances, the second is measured: `shock`, as a share of everybody's daily chance.
 */
import { fitHazards, noDue, toChances, type PastWaits } from './hazard.ts'

type OpenGroup = { age: number; left: number; n: number }

/** How many of some open assignments are completed after some days, and how that varies by chance, and with a shock of 1. */
type Outlook = { mean: number; variance: number; shock: number }

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
  const moments = toMoments(days)
  lookBack(past, moments)
  const hazards = fitHazards(
    past,
    moments.map(({ daysAgo }) => daysAgo),
  )
  for (const [at, { ahead, actual, done, open, groups }] of moments.entries()) {
    if (done < fewestThen || open < fewestOpen) continue
    const outlooks = toOutlooks((age, left) => toChances(hazards[at]!, age, left, ahead), groups.values(), ahead.length)
    for (const [index, outlook] of outlooks.entries()) {
      const off = Math.abs(actual[index]! - outlook.mean)
      const beyond = Math.sqrt(Math.max(0, off ** 2 - z ** 2 * outlook.variance))
      needed[days.indexOf(ahead[index]!)]!.push(beyond === 0 ? 0 : beyond / Math.max(outlook.shock, 1e-9))
    }
  }
  return needed.map((each) => {
    if (each.length < fewestMoments) return null
    const sorted = each.toSorted((a, b) => a - b)
    const shock = sorted[Math.ceil(coverage * sorted.length) - 1] ?? 0
    return { shock, moments: sorted.length, held: sorted.filter((one) => one <= shock).length }
  })
}

/** A past moment. `ahead`: the numbers of days that had passed since, ascending; `actual`: the completions that came within each. */
type Moment = {
  daysAgo: number
  ahead: number[]
  actual: number[]
  /** How many were completed by then. */
  done: number
  open: number
  groups: Map<number, OpenGroup>
}

function toMoments(days: readonly number[]): Moment[] {
  const most = Math.floor((days.at(-1) ?? 0) / step) + mostMoments
  return Array.from({ length: most }, (_, index) => (index + 1) * step).flatMap((daysAgo): Moment[] => {
    const ahead = days.filter((each) => each > 0 && each <= daysAgo && daysAgo < each + step * (mostMoments + 1))
    const actual = ahead.map(() => 0)
    return ahead.length === 0 ? [] : [{ daysAgo, ahead, actual, done: 0, open: 0, groups: new Map() }]
  })
}

/** Adds to each moment what was known then, and the completions that came. */
function lookBack({ born, ended, completed, due }: PastWaits, moments: readonly Moment[]): void {
  for (let index = 0; index < born.length; index++) {
    const [from, end, isCompleted] = [born[index]!, ended[index]!, completed[index] === 1]
    for (const moment of moments) {
      const { daysAgo, ahead, actual, groups } = moment
      if (daysAgo > from) break
      if (end >= daysAgo) {
        if (isCompleted) moment.done++
        continue
      }
      moment.open++
      const age = from - daysAgo
      const left = due[index] === noDue ? noDue : due[index]! + daysAgo
      const key = age * 65_536 + left
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { age, left, n: 1 })
      else group.n++
      if (!isCompleted) continue
      for (let at = 0; at < ahead.length; at++) if (end >= daysAgo - ahead[at]!) actual[at]!++
    }
  }
}
