import type { Period, TrendPeriod } from '../../../schemas/metrics/answer.ts'
import { wasOverdueAt } from './facts.ts'
import type { InScope } from '../in-scope.ts'
import { lifeAt, type AssignmentEvent } from '../reading/lives.ts'
import type { Scope } from '../scope.ts'
import { firstInstantOf, lateFrom, localDate, periodStart, shiftPeriod, type CalendarDate } from '../zones.ts'

export function trend(inScope: InScope[], scope: Scope): TrendPeriod[] {
  const turns = inScope.flatMap(({ history }) => turnsOverdue(history, scope))
  return trendPeriods(scope).map((period_start) => {
    const isIn = (instant: number | undefined): boolean =>
      instant !== undefined &&
      instant <= scope.asOf &&
      periodStart(scope.period, localDate(scope.timeZone, instant)) === period_start
    const last = firstInstantOf(scope.timeZone, shiftPeriod(scope.period, period_start, 1)) - 1
    const end = Math.min(last, scope.asOf)
    const assignments = inScope.map(({ assignment }) => assignment)
    return {
      period_start,
      assigned: assignments.filter(({ life }) => isIn(life.createdAt)).length,
      completed: assignments.filter(({ completed, life }) => completed && isIn(life.state.completedAt))
        .length,
      graded: assignments.filter(({ graded, firstSeenGraded }) => graded && isIn(firstSeenGraded?.timestamp))
        .length,
      became_overdue: turns.filter(isIn).length,
      overdue_at_end: inScope.filter(({ history }) => wasOverdueAt(history, end, scope)).length,
    }
  })
}

/** Every instant up to T at which the assignment is overdue and a millisecond earlier was not. */
export function turnsOverdue(history: AssignmentEvent[], scope: Scope): number[] {
  return instantsOfChange(history, scope).filter(
    (instant) =>
      instant <= scope.asOf &&
      wasOverdueAt(history, instant, scope) &&
      !wasOverdueAt(history, instant - 1, scope),
  )
}

/** Nothing about being overdue can change at any other instant. */
function instantsOfChange(history: AssignmentEvent[], scope: Scope): number[] {
  const instants = new Set<number>()
  for (const { timestamp, payload } of history) {
    instants.add(timestamp)
    if (payload.dueDate !== undefined) instants.add(lateFrom(payload.dueDate, scope.dueZone, scope.dueEnd))
    const life = lifeAt(history, timestamp)
    if (life !== undefined) instants.add(life.createdAt)
    if (payload.createdAt !== undefined) instants.add(payload.createdAt)
  }
  return [...instants]
}

/** The range is cut at T's period first; then a missing start is eleven periods before its last. */
export function trendPeriods(scope: Scope): CalendarDate[] {
  if (scope.trendFrom !== undefined && scope.trendTo !== undefined && scope.trendFrom > scope.trendTo) {
    throw new RangeError('trend_from is after trend_to')
  }
  const current = periodStart(scope.period, localDate(scope.timeZone, scope.asOf))
  const wanted = scope.trendTo === undefined ? current : periodStart(scope.period, scope.trendTo)
  const last = wanted < current ? wanted : current
  const first =
    scope.trendFrom === undefined
      ? elevenBefore(scope.period, last)
      : periodStart(scope.period, scope.trendFrom)
  const starts: CalendarDate[] = []
  for (let start = first; start <= last; start = shiftPeriod(scope.period, start, 1)) {
    if (starts.length === 400) throw new RangeError('the trend has over 400 periods')
    starts.push(start)
  }
  return starts
}

function elevenBefore(period: Period, last: CalendarDate): CalendarDate {
  return shiftPeriod(period, last, -11)
}
