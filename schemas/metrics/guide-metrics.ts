/**
 * The table of the metrics of guides: their definitions, shapes, and how they follow from counted outcomes. Guides are pulled: they are
 * known as of now only, as fresh as the last pull. Archived and deleted assignments are out of scope.
 */
import { z } from 'zod'
import { count, rate } from '../answers/values.ts'
import type { Definition } from './metrics.ts'

/** Why a guide assignment does not count in the on-time rate. */
const reasons = ['no_due_date', 'no_completion_time', 'not_due_yet'] as const
/** What became of a guide assignment. `on_time` and `late` ones are completed. */
export const guideOutcomes = ['on_time', 'late', 'overdue', ...reasons] as const
export type GuideOutcome = (typeof guideOutcomes)[number]

export const guideMetricDefinitions = {
  assigned: {
    title: 'Assigned',
    definition: 'Guide assignments in scope.',
    shape: z.object({ value: count }),
  },
  completed: {
    title: 'Completed',
    definition: 'Guide assignments that the platform reports as completed.',
    shape: z.object({ value: count }),
  },
  overdue: {
    title: 'Overdue',
    definition: 'Not completed, and the due date has passed.',
    shape: z.object({ value: count }),
  },
  completion_rate: { title: 'Completion rate', definition: 'Completed ÷ assigned.', shape: rate() },
  on_time_rate: {
    title: 'Completed on time',
    definition:
      'Completed on time ÷ guide assignments that are completed or past their due date. Not counted: no ' +
      'due date, unknown completion time, not due yet.',
    shape: rate(...reasons),
  },
} as const satisfies Record<string, Definition & { shape: z.ZodType }>

type Definitions = typeof guideMetricDefinitions
export type GuideMetrics = { [Key in keyof Definitions]: z.infer<Definitions[Key]['shape']> }

/** A number of guide assignments with the same outcome. */
export type GuideCount = { completed: boolean; outcome: GuideOutcome; count: number }

export function toGuideMetrics(counts: readonly GuideCount[]): GuideMetrics {
  const sum = (of: readonly GuideCount[]) => of.reduce((all, each) => all + each.count, 0)
  const by = (outcome: GuideOutcome) => sum(counts.filter((each) => each.outcome === outcome))
  const toRate = <Excluded>(numerator: number, denominator: number, excluded: Excluded) => ({
    value: denominator === 0 ? null : numerator / denominator,
    numerator,
    denominator,
    excluded,
  })
  const [assigned, completed] = [sum(counts), sum(counts.filter((each) => each.completed))]
  const [no_due_date, no_completion_time, not_due_yet] = reasons.map(by) as [number, number, number]
  return {
    assigned: { value: assigned },
    completed: { value: completed },
    overdue: { value: by('overdue') },
    completion_rate: toRate(completed, assigned, {}),
    on_time_rate: toRate(by('on_time'), by('on_time') + by('late') + by('overdue'), {
      no_due_date,
      no_completion_time,
      not_due_yet,
    }),
  }
}
