import { agingBuckets, effectiveStatuses, type Metrics } from '../../../schemas/metrics/answer.ts'
import type { Assignment } from './facts.ts'
import type { Scope } from '../scope.ts'
import { localDate, periodStart } from '../zones.ts'

export function aging(assignments: Assignment[]): Metrics['aging'] {
  return agingBuckets.map((bucket) => ({
    bucket,
    count: assignments.filter(({ agingBucket }) => agingBucket === bucket).length,
  }))
}

export function statuses(assignments: Assignment[]): Metrics['statuses'] {
  return effectiveStatuses.map((status) => ({
    status,
    count: assignments.filter(({ effectiveStatus }) => effectiveStatus === status).length,
  }))
}

const funnelStages = ['assigned', 'viewed', 'started', 'submitted', 'graded', 'passed'] as const

export function funnel(assignments: Assignment[]): Metrics['funnel'] {
  return funnelStages.map((stage) => ({
    stage,
    count: assignments.filter((assignment) => hasReached(assignment, stage)).length,
  }))
}

function hasReached(assignment: Assignment, stage: (typeof funnelStages)[number]): boolean {
  return stage === 'assigned' || assignment[stage]
}

export function cohorts(assignments: Assignment[], scope: Scope): Metrics['cohorts'] {
  const byPeriod = Map.groupBy(assignments, ({ life }) =>
    periodStart(scope.period, localDate(scope.timeZone, life.createdAt)),
  )
  return [...byPeriod.keys()].sort().map((period_start) => {
    const members = byPeriod.get(period_start) ?? []
    return {
      period_start,
      assigned: members.length,
      completed: members.filter(({ completed }) => completed).length,
    }
  })
}

export function grade(assignments: Assignment[]): Metrics['grade'] {
  // In ascending order, so that the sum does not depend on the order of arrival by a rounding.
  const grades = assignments
    .filter(({ graded }) => graded)
    .map(({ life }) => life.state.calculatedGrade)
    .filter((known) => known !== undefined)
    .sort((a, b) => a - b)
  const sum = grades.reduce((total, each) => total + each, 0)
  return {
    n: grades.length,
    mean: grades.length === 0 ? null : sum / grades.length,
    median: plainMedian(grades),
    histogram: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((from) => ({
      from,
      to: from + 10,
      count: grades.filter((each) => (from === 0 || each >= from) && (from === 90 || each < from + 10))
        .length,
    })),
  }
}

export function gradingBacklog(assignments: Assignment[], asOf: number): Metrics['grading_backlog'] {
  const waiting = assignments.filter(({ awaitingGrading }) => awaitingGrading)
  const ages = waiting.map(({ firstSeenSubmitted }) => {
    if (firstSeenSubmitted === undefined) throw new Error('awaiting grading, yet never seen submitted')
    return asOf - firstSeenSubmitted.timestamp
  })
  return {
    value: waiting.length,
    untouched: waiting.filter(({ life }) => !life.state.isPartiallyGraded).length,
    partially_graded: waiting.filter(({ life }) => life.state.isPartiallyGraded).length,
    p50_age_ms: plainMedian(ages),
    oldest_age_ms: ages.length === 0 ? null : Math.max(...ages),
  }
}

export function plainMedian(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]!
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)]!
  return (lower + upper) / 2
}
