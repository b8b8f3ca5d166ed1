/** The results of a benchmark, for `main.ts`, which runs them all and reads them; and what benchmarks measure and sum up with. */
import { appendFileSync } from 'node:fs'

export type Result = {
  what: string
  value: number
  unit: string
  /** The comparison of the same run. */
  baseline?: { what: string; value: number }
  /** The aim of DESIGN: at most this, or at least where the unit is a ratio (`x`). */
  aim?: number
}

/** Where `main.ts` wants it; nobody asks: nowhere. */
const file = process.env['BENCH_RESULTS']

export function report(result: Result): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`)
}

/** `undefined`: there is no aim. */
export function isMet({ value, unit, aim }: Result): boolean | undefined {
  if (aim === undefined) return undefined
  return unit === 'x' ? value >= aim : value <= aim
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
