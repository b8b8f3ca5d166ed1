/** The work of one person in a scope. */
export type LearnerCounts = {
  user_id: string
  assigned: number
  completed: number
  overdue: number
  awaiting_grading: number
}

/** Which people: those with something overdue or waiting for a grade, with open work, or with everything completed. */
export const learnerFilters = ['overdue', 'awaiting', 'unfinished', 'complete'] as const
export type LearnerFilter = (typeof learnerFilters)[number]

export const isSo: Record<LearnerFilter, (counts: LearnerCounts) => boolean> = {
  overdue: ({ overdue }) => overdue > 0,
  awaiting: ({ awaiting_grading }) => awaiting_grading > 0,
  complete: ({ completed, assigned }) => completed === assigned,
  unfinished: ({ completed, assigned }) => completed < assigned,
}

export type LearnerRequest = {
  /** In the name, or the whole id. Default: everyone. */
  search?: string | undefined
  only?: LearnerFilter | undefined
  /** `user_name` or a count, after `-` descending. Default: most overdue first. */
  by?: string | undefined
  offset: number
  limit: number
}
