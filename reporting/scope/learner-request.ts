/** Which people: all, or those with something overdue, something that waits for a grade, everything or not everything done. */
export const learnerFilters = ['overdue', 'awaiting', 'unfinished', 'complete'] as const
export type LearnerFilter = (typeof learnerFilters)[number]

export type LearnerCursor = { overdue: number; awaiting: number; userId: string }

export type LearnerRequest = {
  /** In the name, or the whole id. Empty: everybody. */
  search: string
  only: LearnerFilter | null
  cursor: LearnerCursor | null
  limit: number
}

/** Counts over everybody in scope, whatever is searched for. */
export type LearnerCounts = Record<'all' | LearnerFilter, number>
