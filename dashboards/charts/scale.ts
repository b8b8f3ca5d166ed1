/** A zero-based axis for counts: round steps, at most four of them, never a fraction of an assignment. */
export type Scale = { max: number; ticks: number[] }

export function niceScale(highest: number): Scale {
  const wanted = Math.max(1, highest) / 4
  const magnitude = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(
    1,
    ([1, 2, 2.5, 5, 10].find((m) => m * magnitude >= wanted && Number.isInteger(m * magnitude)) ?? 10) * magnitude,
  )
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
