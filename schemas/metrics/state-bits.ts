/**
 * The facts of one version of an assignment that do not depend on the clock, as bits of `state` in `open_versions` and
 * `closed_versions`. The consumer's fold writes them, views and metrics read them; a bit never changes its meaning.
 * Definitions: METRICS.md, "Derived facts of one assignment".
 */
export const stateBits = {
  completed: 0,
  failed: 1,
  submitted: 2,
  graded: 3,
  partially_graded: 4,
  /** `passed` as sent; counts only together with `graded`. */
  passed: 5,
  viewed: 6,
  started: 7,
  /** The platform's own `isOverdue`: whether it was sent, and whether it was true. */
  reported_overdue_known: 8,
  reported_overdue: 9,
  reported_on_time_known: 10,
  reported_on_time: 11,
  /** `createdAt` was never sent in this life; the first event's time stands in. */
  created_assumed: 12,
  grade_known: 13,
  /** The first event of the life was already submitted (graded): when that began is unknown. */
  began_submitted: 14,
  began_graded: 15,
  deleted: 16,
  /** First seen submitted and first seen graded in one event: there is no turnaround to measure. */
  submitted_with_grade: 17,
  /** The due date differs, as an instant, from the first known one of this life. */
  deadline_moved: 18,
  /** `completionPercentage` was sent as -1, which stands for unknown where this is not set. */
  percentage_minus_one: 19,
} as const

/** `state` has 24 bits. These belong to no fact and never did. */
export const freeStateBits: readonly number[] = [20, 21, 22, 23]

export type StateFact = keyof typeof stateBits

/** `valid_to` of a version that still holds: 2200-01-01T00:00:00Z, epoch ms, after every time that can be read. */
export const endOfTimeMs = Date.UTC(2200, 0, 1)
