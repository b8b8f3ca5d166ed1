/** What the benches share: their arguments, their times, and a line for each result. */

export type Result = {
  what: string
  value: number
  unit: string
  /** The comparison of the same run. */
  baseline?: { what: string; value: number }
  /** At most this, or at least where the unit is a ratio (`x`). */
  aim?: number
}

export function report({ what, value, unit, baseline, aim }: Result): void {
  const isMet = aim !== undefined && (unit === 'x' ? value >= aim : value <= aim)
  const notes = [
    baseline && `beside ${baseline.what}: ${round(baseline.value)}`,
    aim !== undefined && `aim ${aim} ${unit}: ${isMet ? 'met' : 'missed'}`,
  ].filter(Boolean)
  console.log(`${what}: ${round(value)} ${unit}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`)
}

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** The arguments by position, as numbers; those that are not given are these. */
export function readNumbers<const Given extends readonly number[]>(
  ...defaults: Given
): { [At in keyof Given]: number } {
  const given = process.argv.slice(2)
  return defaults.map((value, at) => Number(given[at] ?? value)) as { [At in keyof Given]: number }
}

/** The value that this share of them does not exceed. `NaN` without values. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Of times in ms. */
export function describeTimes(values: readonly number[]): string {
  const at = (share: number) => Math.round(quantile(values, share))
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
}

/** How long it takes, ms. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
