/** The queue of work that waits for a grade, by how long, and the questions about it. */

/** Whole days since handed in, both ends inclusive. */
export const waitingAges = {
  '0': [0, 0],
  '1-2': [1, 2],
  '3-6': [3, 6],
  '7-13': [7, 13],
  '14-29': [14, 29],
  '30+': [30, 1_000_000],
} as const
export type WaitingAge = keyof typeof waitingAges

export type QueueArgs = {
  offset: number
  limit: number
  /** Work that awaits a grade, so long; or was first graded in a period of dates, where it is known how long that took. */
  of: { age?: WaitingAge | undefined } | { gradedFrom: string; gradedTo: string }
}
