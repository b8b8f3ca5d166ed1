/** How long something takes: the durations of the table of metrics, over rows. */
import { holds, type Bits } from '../../schemas/metrics/facts.ts'
import { metrics, partsOfDuration, type DurationKey } from '../../schemas/metrics/metrics.ts'
import type { MeasuredDuration } from '../metrics/blocks.ts'
import type { Selection } from './select.ts'
import { inSlices } from './slices.ts'

const [notMeasured, goingOn, ended] = [1, 2, 3]

/** Gives every measured duration of a selection, with the index of its row. */
export async function forEachDuration(
  key: DurationKey,
  { columns, rows, facts }: Selection,
  asOf: number,
  use: (ms: number, hasEnded: boolean, index: number) => void,
): Promise<void> {
  const { n, censored } = partsOfDuration(metrics[key])
  const [from, to] = [columns.at[metrics[key].from], columns.at[metrics[key].to]]
  const stageOf = (bits: Bits) => (holds(n, bits) ? ended : holds(censored, bits) ? goingOn : notMeasured)
  const { codes } = facts
  /** By code; 0 = not asked yet. */
  const stages = new Uint8Array(facts.size())
  await inSlices(rows.length, (first, end) => {
    for (let index = first; index < end; index++) {
      const row = rows[index]!
      const code = codes[index]!
      const stage = (stages[code] ||= stageOf(facts.of(code)))
      if (stage === ended) use(Math.max(0, to[row]! - from[row]!), true, index)
      else if (stage === goingOn) use(asOf - from[row]!, false, index)
    }
  })
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
  return {
    p50_ms: quantiles[0] ?? null,
    p90_ms: quantiles[1] ?? null,
    n: ends.length,
    censored: censored.length,
  }
}
