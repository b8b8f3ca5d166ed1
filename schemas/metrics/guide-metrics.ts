/**
 * The metrics of guides: their definitions, and how they follow from counted facts. Guides are pulled: they are known as
 * of now only, as fresh as the last pull. Archived and deleted assignments are out of scope.
 */
import type { Count, Rate } from './answer.ts'
import type { Definition } from './metrics.ts'

export type GuideMetrics = {
  assigned: Count
  completed: Count
  overdue: Count
  completion_rate: Rate
  on_time_rate: Rate<'no_due_date' | 'no_completion_time' | 'not_due_yet'>
}

export const guideMetricDefinitions: Record<keyof GuideMetrics, Definition> = {
  assigned: { title: 'Assigned', definition: 'Guide assignments in scope.' },
  completed: { title: 'Completed', definition: 'Guide assignments that the platform reports as completed.' },
  overdue: { title: 'Overdue', definition: 'Not completed, and the due date has passed.' },
  completion_rate: { title: 'Completion rate', definition: 'Completed ÷ assigned.' },
  on_time_rate: {
    title: 'Completed on time',

    definition:
      'Completed on time ÷ guide assignments that are completed or past their due date. Not counted: no ' +
      'due date, unknown completion time, not due yet.',
  },
}

/** Facts of some guide assignments, and how many there are. */
export type GuideFacts = {
  guideId: string
  /** Teams of the person; a person in two counts in both. */
  teams: string[]
  completed: boolean
  dueKnown: boolean
  completedAtKnown: boolean
  /** Completed, at a known time before it was late. */
  completedInTime: boolean
  /** The due date has passed. */
  late: boolean
  /** Not seen in the last full pull: perhaps removed at the platform. It still counts. */
  unseen: boolean
  count: number
}

export function toGuideMetrics(facts: readonly GuideFacts[]): GuideMetrics {
  const count = (holds: (fact: GuideFacts) => boolean) =>
    facts.reduce((sum, fact) => (holds(fact) ? sum + fact.count : sum), 0)
  const assigned = count(() => true)
  const completed = count((fact) => fact.completed)
  const excluded = {
    no_due_date: count((fact) => !fact.dueKnown),
    no_completion_time: count((fact) => fact.dueKnown && fact.completed && !fact.completedAtKnown),
    not_due_yet: count((fact) => fact.dueKnown && !fact.completed && !fact.late),
  }
  const due = assigned - excluded.no_due_date - excluded.no_completion_time - excluded.not_due_yet
  return {
    assigned: { value: assigned },
    completed: { value: completed },
    overdue: { value: count((fact) => !fact.completed && fact.dueKnown && fact.late) },
    completion_rate: toRate(completed, assigned, {}),
    on_time_rate: toRate(
      count((fact) => fact.dueKnown && fact.completedInTime),
      due,
      excluded,
    ),
  }
}

function toRate<Reason extends string>(
  numerator: number,
  denominator: number,
  excluded: Record<Reason, number>,
): Rate<Reason> {
  return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator, excluded }
}
