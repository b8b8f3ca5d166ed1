/** Metrics that can have a target, and the largest one: percent; of turnaround days. */
export const targetLimits = { completion_rate: 100, on_time_rate: 100, grading_turnaround: 365 } as const
export type TargetMetric = keyof typeof targetLimits
export const targetMetrics = Object.keys(targetLimits) as TargetMetric[]

/** Percent, or days. A metric that is left out has no target. */
export type Targets = Partial<Record<TargetMetric, number>>
