/** How long something takes: the durations of the table of metrics, over rows. */
import { holds, type Bits } from '../../schemas/metrics/facts.ts'
import { metrics, partsOfDuration, type DurationKey } from '../../schemas/metrics/metrics.ts'
import type { MeasuredDuration } from '../metrics/blocks.ts'
import { onceACode } from './kinds.ts'
import type { Selection } from './select.ts'
import { sort } from './sort.ts'

const [notMeasured, goingOn, ended] = [0, 1, 2]

/** Gives the duration of a row, if it is measured. */
export function createDurations(
  key: DurationKey,
  { columns, facts }: Selection,
  asOf: number,
): (row: number, code: number, use: (ms: number, hasEnded: boolean) => void) => void {
  const { n, censored } = partsOfDuration(metrics[key])
  const [from, to] = [columns.values[metrics[key].from], columns.values[metrics[key].to]]
  const stageOf = onceACode(facts, (bits: Bits) =>
    holds(n, bits) ? ended : holds(censored, bits) ? goingOn : notMeasured,
  )
  return (row, code, use) => {
    const stage = stageOf(code)
    if (stage === ended) use(Math.max(0, to[row]! - from[row]!), true)
    else if (stage === goingOn) use(asOf - from[row]!, false)
  }
}

/** Durations that have ended, and those that go on. */
export class Waits {
  readonly ended: number[] = []
  readonly goingOn: number[] = []
  readonly add = (ms: number, hasEnded: boolean): void => void (hasEnded ? this.ended : this.goingOn).push(ms)
  toQuantiles(): MeasuredDuration {
    return toQuantiles(sort(new Float64Array(this.ended)), sort(new Float64Array(this.goingOn)))
  }
}

/**
 * Exact Kaplan-Meier over two sorted lists: the waits at which survival falls to 0.5 and 0.1, with a tolerance of 1e-9. Ends come before censorings of the same
 * length; between two censorings the factors (r - d) / r cancel out, so ends are only counted.
 */
function toQuantiles(ends: Float64Array, censored: Float64Array): MeasuredDuration {
  const limits = [0.5 + 1e-9, 0.1 + 1e-9]
  const quantiles: number[] = []
  let survival = 1
  let atRisk = ends.length + censored.length
  let at = 0
  for (let next = 0; at < ends.length && quantiles.length < limits.length; next++) {
    const until = next < censored.length ? censored[next]! : Infinity
    const first = at
    while (at < ends.length && ends[at]! <= until) at++
    const n = at - first
    if (n > 0) {
      // The smallest wait at which so many have ended that survival is at most the limit; equal waits end together.
      while (quantiles.length < limits.length && survival * (1 - n / atRisk) <= limits[quantiles.length]!) {
        const needed = Math.max(1, Math.ceil(atRisk * (1 - limits[quantiles.length]! / survival)))
        quantiles.push(ends[Math.min(first + needed - 1, at - 1)]!)
      }
      survival *= 1 - n / atRisk
    }
    atRisk -= n + 1
  }
  return {
    p50_ms: quantiles[0] ?? null,
    p90_ms: quantiles[1] ?? null,
    n: ends.length,
    censored: censored.length,
  }
}
