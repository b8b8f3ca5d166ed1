/**
 * The two tiers of a matrix. `npm test` takes some of its cases, spread over all of them; `npm run test:long` others, in the two
 * thorough projects of vitest.config.ts; with ROLLCALL_TEST_COMPLETE=1, before a release, it takes all.
 */

/** Whether the long run asks a file that is also in the short one. */
export const isLong = process.env['ROLLCALL_TEST_THOROUGH'] === '1'
/** Before a release the long run leaves nothing out. */
export const isComplete = process.env['ROLLCALL_TEST_COMPLETE'] === '1'

/**
 * Every n-th of the cases from `first` on (default 0), at least one. In the long run of a file that is in both every
 * `nLong`-th (default: `n`), from the next one on, since the short run has the others; in a complete one all.
 */
export function pick<Case>(cases: readonly Case[], n: number, first = 0, nLong = n): Case[] {
  const step = Math.min(isComplete ? 1 : isLong ? nLong : n, cases.length)
  const from = isLong ? first + 1 : first
  return cases.filter((_, index) => index % step === from % step)
}
