/** A zero-based axis for counts: two to five round steps, never a fraction of an assignment, and little room above the data. */
export type Scale = { max: number; ticks: number[] }

export function niceScale(highest: number): Scale {
  const roughStep = Math.max(1, highest) / 5
  const magnitude = 10 ** Math.floor(Math.log10(roughStep))
  const steps = [1, 2, 2.5, 5, 10]
    .map((m) => m * magnitude)
    .filter((step) => step >= Math.max(1, roughStep) && Number.isInteger(step))
  const top = (step: number) => Math.ceil(highest / step) * step
  // The axis that ends nearest above the data; of two equal ones that with fewer steps.
  const step = steps.reduce((best, one) => (highest / one > 1 && top(one) <= top(best) ? one : best), steps[0] ?? 1)
  const count = Math.max(1, Math.ceil(highest / step))
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) }
}

/** Moves labels apart to `gap` within 0..`length`, keeping their order; positions in the given order. */
export function spread(positions: number[], gap: number, length: number): number[] {
  const order = positions.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at)
  for (let k = 1; k < order.length; k++) {
    const [above, here] = [order[k - 1], order[k]]
    if (above && here) here.at = Math.max(here.at, above.at + gap)
  }
  let limit = length
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, limit)
    limit = label.at - gap
  }
  const placed = [...positions]
  for (const { at, i } of order) placed[i] = at
  return placed
}
