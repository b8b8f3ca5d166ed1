/** An assignment that nothing has happened to yet, by the specification, without its ids and times. */
export const newAssignment = {
  calculatedGrade: 0,
  completionPercentage: 0,
  numDaysOverdue: null,
  status: 'not_started',
  isCompleted: false,
  isCompletedOnTime: false,
  isFullyGraded: false,
  isOverdue: false,
  isPartiallyGraded: false,
  isSubmitted: false,
  passed: false,
} as const
