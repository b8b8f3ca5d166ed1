/** How long something takes: the durations of the table of metrics, over rows. */
import { holds } from '../../schemas/metrics/facts.ts'
import { metrics, partsOfDuration, type DurationKey } from '../../schemas/metrics/metrics.ts'
import type { MeasuredDuration } from '../metrics/blocks.ts'
import { onceACode } from './kinds.ts'
import type { Selection } from './select.ts'

type UseDuration = (ms: number, hasEnded: boolean) => void

/** Gives the duration of the row at an index, if it is measured. */
export function createDuration(
  key: DurationKey,
  { columns, rows, facts }: Selection,
  asOf: number,
): (index: number, use: UseDuration) => void {
  const { n, censored } = partsOfDuration(metrics[key])
  const [from, to] = [columns.at[metrics[key].from], columns.at[metrics[key].to]]
  const stageOf = onceACode(facts, (bits) => (holds(n, bits) ? 2 : Number(holds(censored, bits))))
  return (index, use) => {
    const stage = stageOf(facts.codes[index]!)
    if (stage === 0) return
    const row = rows[index]!
    if (stage === 2) use(Math.max(0, to[row]! - from[row]!), true)
    else use(asOf - from[row]!, false)
  }
}

/**
 * Exact Kaplan-Meier over two sorted lists: the waits at which survival falls to 0.5 and 0.1, with a tolerance of 1e-9. Ends come before censorings of the same
 * length; between two censorings the factors (r - d) / r cancel out, so ends are only counted.
 */
export function toQuantiles(ends: Float64Array, censored: Float64Array): MeasuredDuration {
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
  return { p50_ms: quantiles[0] ?? null, p90_ms: quantiles[1] ?? null, n: ends.length, censored: censored.length }
}
