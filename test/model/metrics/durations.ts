import type { Duration } from '../../../schemas/metrics/answer.ts'
import type { Assignment } from './facts.ts'

/** One wait: it ended after so long, or has lasted so long already, or nobody knows. */
export type Wait = { ended: number } | { censored: number } | 'unknown'

/** Kaplan-Meier, step by step over the times at which something ended. */
export function toDuration(waits: Wait[]): Duration {
  const ends = waits.flatMap((wait) => (wait !== 'unknown' && 'ended' in wait ? [wait.ended] : []))
  const censorings = waits.flatMap((wait) =>
    wait !== 'unknown' && 'censored' in wait ? [wait.censored] : [],
  )
  const slack = 1e-9
  let survival = 1
  let p50: number | null = null
  let p90: number | null = null
  for (const time of [...new Set(ends)].sort((a, b) => a - b)) {
    // Who is censored at this very time was still waiting when others ended.
    const atRisk = [...ends, ...censorings].filter((length) => length >= time).length
    const ending = ends.filter((length) => length === time).length
    survival *= 1 - ending / atRisk
    if (survival <= 0.5 + slack) p50 ??= time
    if (survival <= 0.1 + slack) p90 ??= time
  }
  return {
    p50_ms: p50,
    p90_ms: p90,
    n: ends.length,
    censored: censorings.length,
    unknown: waits.filter((wait) => wait === 'unknown').length,
  }
}

export function gradingTurnaround(assignments: Assignment[], asOf: number): Duration {
  const waits = assignments
    .filter(({ graded, awaitingGrading }) => graded || awaitingGrading)
    .map(({ graded, firstSeenSubmitted, firstSeenGraded, wasFirstSeenAlreadySubmitted }): Wait => {
      if (firstSeenSubmitted === undefined)
        throw new Error('graded or awaiting grading, yet never seen submitted')
      if (wasFirstSeenAlreadySubmitted || firstSeenGraded === firstSeenSubmitted) return 'unknown'
      if (!graded) return { censored: asOf - firstSeenSubmitted.timestamp }
      if (firstSeenGraded === undefined) throw new Error('graded, yet never seen graded')
      return { ended: firstSeenGraded.timestamp - firstSeenSubmitted.timestamp }
    })
  return toDuration(waits)
}

export function timeToComplete(assignments: Assignment[], asOf: number): Duration {
  const waits = assignments.map(({ completed, life }): Wait => {
    const { completedAt } = life.state
    if (life.isCreatedAtAssumed) return 'unknown'
    if (!completed) return { censored: asOf - life.createdAt }
    if (completedAt === undefined) return 'unknown'
    return { ended: Math.max(0, completedAt - life.createdAt) }
  })
  return toDuration(waits)
}
