/**
 * Some tests go through every step at which a process may end, or every table that may refuse a row. `npm test` takes some
 * of these cases, spread over all of them; `npm run test:long` others, in the two thorough projects of vitest.config.ts, of
 * some files none; with ROLLCALL_TEST_COMPLETE=1, before a release, it takes all.
 */
import { test as testBoth } from 'vitest'

export const isThorough = process.env['ROLLCALL_TEST_THOROUGH'] === '1'
/** Before a release the long run leaves nothing out. */
export const isComplete = process.env['ROLLCALL_TEST_COMPLETE'] === '1'

/** A matrix of which each run takes its part. */
export { testBoth }

/** A test that a thorough run does not repeat: the short run has all of it. */
export const test = (
  isThorough ? Object.assign(() => {}, { each: () => () => {} }) : testBoth
) as typeof testBoth

/** A test of a thorough run only. The short run has a sample of the same promise: another test of its file. */
export const testLong: (name: string, run: () => void | Promise<void>) => void = isThorough
  ? testBoth
  : () => {}

/** Every n-th case of a long file, from `first` (default 0) on. A complete run takes all. */
export const pickLong = <Case>(cases: readonly Case[], n: number, first = 0): Case[] =>
  cases.filter((_, index) => isComplete || index % n === first)

/** A test of complete runs: another test of its file keeps the same promise with less. */
export const testComplete = testBoth.runIf(isComplete)

/**
 * Every n-th of the cases, at least one. In a thorough run every `nLong`-th (default: `n`), from the next one on, since the short run has
 * the others; in a complete one all. `first` (default 0) differs from list to list where a run should take other cases of each.
 */
export function pickCases<Case>(cases: readonly Case[], n: number, first = 0, nLong = n): Case[] {
  const step = Math.min(!isThorough ? n : isComplete ? 1 : nLong, cases.length)
  const from = isThorough ? first + 1 : first
  return cases.filter((_, index) => index % step === from % step)
}
