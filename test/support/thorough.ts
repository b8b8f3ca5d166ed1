/**
 * Some tests go through every step at which a process may end, or every table that may refuse a row. `npm test` takes some
 * of these cases, spread over all of them; `npm run test:long` takes all, by files named `*-thorough.long.test.ts`.
 */
export const isThorough = process.env['ROLLCALL_TEST_THOROUGH'] === '1'

/** Every n-th of the cases, the first included; all of them in a thorough run. */
export function pickCases<Case>(cases: readonly Case[], n: number): Case[] {
  return isThorough ? [...cases] : cases.filter((_, index) => index % n === 0)
}
