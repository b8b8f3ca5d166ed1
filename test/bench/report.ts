/** What a benchmark has measured, for `main.ts`, which runs them all and reads it. */
import { appendFileSync } from 'node:fs'

export type Result = {
  what: string
  value: number
  unit: string
  /** Beside what it ran, in the same run. */
  baseline?: { what: string; value: number }
  /** What DESIGN asks for: at most this, or at least where the unit is a ratio (`x`). */
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
