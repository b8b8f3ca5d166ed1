import { toAssignment, type Assignment } from './metrics/facts.ts'
import { lifeAt, toHistories, type AssignmentEvent, type Life } from './reading/lives.ts'
import { peopleAt, type People } from './reading/people.ts'
import { readDeliveries, type UsableEvent } from './reading/reading.ts'
import type { Delivery, FactName, PulledUser, Scope } from './scope.ts'
import { localDate, type CalendarDate } from './zones.ts'

export type InScope = { assignment: Assignment; history: AssignmentEvent[] }

/** The assignments that every metric is about, by assignment id, each with its whole history. */
export function toInScope(deliveries: Delivery[], scope: Scope, pulledUsers: PulledUser[]): InScope[] {
  const events = readDeliveries(deliveries)
  const isMember = createMembership(events, pulledUsers, scope)
  const found: InScope[] = []
  for (const history of toHistories(events)) {
    const life = lifeAt(history, scope.asOf)
    if (life === undefined || !isThere(life, scope.asOf)) continue
    const assignment = toAssignment(life, scope)
    if (isMember(assignment)) found.push({ assignment, history })
  }
  return found.sort((a, b) => (a.assignment.life.assignmentId < b.assignment.life.assignmentId ? -1 : 1))
}

/** Created and not deleted at an instant, of a life as of that instant. */
export function isThere(life: Life, instant: number): boolean {
  return !life.isDeleted && life.createdAt <= instant
}

/** Whether an assignment that is there passes the filters, its person included; the people may be those of another moment. */
export function createMembership(
  events: UsableEvent[],
  pulledUsers: PulledUser[],
  scope: Scope,
  { asOf } = scope,
): (assignment: Assignment) => boolean {
  const people = peopleAt(events, pulledUsers, asOf, scope.now)
  const underManagers = new Set(
    scope.manager.flatMap((managerId) => [...people.reportsOf(managerId, scope.managerDepth)]),
  )
  return (assignment) => {
    const { userId } = assignment.life
    if (!scope.includeLeavers && userId !== undefined && !people.isActive(userId)) return false
    return passesFilters(assignment, scope, people, underManagers)
  }
}

function passesFilters(
  assignment: Assignment,
  scope: Scope,
  people: People,
  underManagers: Set<string>,
): boolean {
  const { life } = assignment
  const { userId, challengeId } = life
  const teams = userId === undefined ? [] : people.teamsOf(userId)
  const createdOn = localDate(scope.timeZone, life.createdAt)
  const completedOn =
    assignment.completed && life.state.completedAt !== undefined
      ? localDate(scope.timeZone, life.state.completedAt)
      : undefined
  return (
    isAnyOf(scope.challenge, challengeId) &&
    (scope.team.length === 0 || teams.some((team) => scope.team.includes(team))) &&
    ((scope.without ?? []).length === 0 || teams.length === 0) &&
    (scope.manager.length === 0 || (userId !== undefined && underManagers.has(userId))) &&
    isAnyOf(scope.user, userId) &&
    scope.attribute.every(([name, values]) => {
      const value = userId === undefined ? undefined : people.attributesOf(userId).get(name)
      return value !== undefined && values.includes(value)
    }) &&
    isAnyOf(scope.status, assignment.effectiveStatus) &&
    (scope.fact.length === 0 || scope.fact.some((fact) => hasFact(assignment, fact))) &&
    isAnyOf(scope.aging, assignment.agingBucket) &&
    isWithin(createdOn, scope.assignedFrom, scope.assignedTo) &&
    isWithin(completedOn, scope.completedFrom, scope.completedTo) &&
    isWithin(assignment.dueDay, scope.dueFrom, scope.dueTo)
  )
}

function isAnyOf<Value>(wanted: Value[], value: Value | undefined): boolean {
  return wanted.length === 0 || (value !== undefined && wanted.includes(value))
}

/** Both ends inclusive; an unknown day is in no window. */
function isWithin(date: CalendarDate | undefined, from?: CalendarDate, to?: CalendarDate): boolean {
  if (from === undefined && to === undefined) return true
  if (date === undefined) return false
  return (from === undefined || date >= from) && (to === undefined || date <= to)
}

export function hasFact(assignment: Assignment, fact: FactName): boolean {
  switch (fact) {
    case 'completed':
      return assignment.completed
    case 'failed':
      return assignment.failed
    case 'submitted':
      return assignment.submitted
    case 'graded':
      return assignment.graded
    case 'awaiting_grading':
      return assignment.awaitingGrading
    case 'open':
      return assignment.open
    case 'overdue':
      return assignment.overdue
    case 'reviewer_overdue':
      return assignment.reviewerOverdue
    case 'due_soon':
      return assignment.dueSoon
    case 'completed_on_time':
      return assignment.completedOnTime
    case 'deadline_moved':
      return assignment.deadlineMoved
    case 'reported_mismatch':
      return assignment.reportedMismatch
  }
}
