/** The steps of one assignment in the words of METRICS.md, each with the event that shows it: the timeline that a person reads. */
import type { Timeline, TimelineEvent } from '../../schemas/answers/timeline.ts'

export type StepKind =
  | 'assigned'
  | 'assigned_again'
  | 'viewed'
  | 'started'
  | 'submitted'
  | 'graded'
  | 'regraded'
  | 'completed'
  | 'due_moved'
  | 'failed'
  | 'reopened'
  | 'deleted'

export type Step = {
  kind: StepKind
  /** When it was first seen: the time of the event. */
  at: string
  life: number
  event_id: string
  /** Due dates and grades before and after, where the step is about one. */
  from?: string | number | null
  to?: string | number | null
}

type Earlier = Partial<Record<StepKind, true>>

/**
 * In event order; of each life every kind once, moves of the due date and regrades as often as they happened. An assignment that was
 * completed or failed and is neither any more was reopened; it may be completed or fail once more.
 */
export function toSteps({ events, regrades }: Timeline): Step[] {
  const regraded = new Map(regrades.map((regrade) => [regrade.event_id, regrade]))
  const steps: Step[] = []
  let before: TimelineEvent | null = null
  let earlier: Earlier = {}
  let dueDate: string | null = null
  for (const event of events) {
    const isNewLife = before === null || event.life !== before.life
    if (isNewLife) earlier = {}
    const add = (kind: StepKind, change: Pick<Step, 'from' | 'to'> = {}) =>
      steps.push({ kind, at: event.at, life: event.life, event_id: event.event_id, ...change })
    const addOnce = (kind: StepKind, holds: boolean, change: Pick<Step, 'from' | 'to'> = {}) => {
      if (!holds || earlier[kind]) return
      earlier[kind] = true
      add(kind, change)
    }
    if (isNewLife) add(event.life === 1 ? 'assigned' : 'assigned_again', { to: event.due_date })
    else if (event.due_date !== dueDate) add('due_moved', { from: dueDate, to: event.due_date })
    dueDate = event.due_date
    const isCompleted = event.is_completed === true
    const isGraded = event.is_fully_graded === true
    const isSubmitted =
      event.is_submitted === true ||
      event.status === 'needs_grading' ||
      event.is_partially_graded === true ||
      isGraded ||
      isCompleted
    addOnce(
      'started',
      (event.completion_percentage ?? 0) > 0 || event.status === 'in_progress' || isSubmitted,
    )
    addOnce('submitted', isSubmitted)
    addOnce('graded', isGraded, { to: event.calculated_grade })
    const regrade = regraded.get(event.event_id)
    if (regrade !== undefined) add('regraded', { from: regrade.grade_from, to: regrade.grade_to })
    const isFailed = event.status === 'failed' && !isCompleted
    const isDeleted = event.event_type === 'assignmentDeleted.challenge'
    if ((earlier.completed || earlier.failed) && !isCompleted && !isFailed && !isDeleted) {
      add('reopened')
      delete earlier.completed
      delete earlier.failed
    }
    addOnce('completed', isCompleted)
    addOnce('failed', isFailed)
    addOnce('deleted', isDeleted)
    before = event
  }
  return steps
}
