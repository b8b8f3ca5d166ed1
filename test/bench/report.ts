/** The results of a benchmark, for `main.ts`, which runs them all and reads them. */
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
