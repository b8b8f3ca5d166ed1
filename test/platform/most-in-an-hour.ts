const hourMs = 3_600_000

/** The most of these moments that lie within any hour. */
export function mostInAnHour(times: readonly number[]): number {
  return Math.max(...times.map((first) => times.filter((at) => at >= first && at < first + hourMs).length))
}
