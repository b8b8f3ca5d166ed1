/**
 * The platform's own state, for comparison with what receivers made of its events. It comes from the changed records, not
 * from the sent events.
 */
import type { Calendar } from './calendar.ts'
import type { Person, Population } from './population.ts'
import { toRecordAt, type Assignment } from './record.ts'

export type Truth = ReturnType<typeof toTruth>
export type TruthAssignment = Truth['assignments'][number]

export function toTruth(state: {
  at: number
  calendar: Calendar
  population: Population
  assignments: ReadonlyMap<string, Assignment>
}) {
  const { at, calendar, population } = state
  return {
    at,
    timeZone: calendar.timeZone,
    people: population.people.map(toTruthPerson),
    assignments: Array.from(state.assignments.values(), (assignment) => ({
      /** As the platform would answer at that instant; `status`, `isOverdue` and `numDaysOverdue` are as of then. */
      record: toRecordAt(assignment, at, calendar),
      challengeTitle: assignment.challenge.title,
      userId: assignment.person.id,
      deleted: assignment.deletedAt !== undefined,
      deletedAt: assignment.deletedAt,
      firstDueDate: assignment.firstDueDate,
      firstSubmittedAt: assignment.firstSubmittedAt,
      firstGradedAt: assignment.firstGradedAt,
      /** `isOverdue` in the last event: the platform reports it once a night. */
      reportedOverdue: assignment.record.isOverdue,
    })),
  }
}

function toTruthPerson({ id, name, email, isDeleted, leftAt, groups, managers, lastEvent: last }: Person) {
  const toIds = (people: readonly Person[]) => people.map((person) => person.id)
  return {
    id,
    name,
    email,
    isDeleted,
    leftAt,
    groups,
    managerIds: toIds(managers),
    /** The state that events have told so far: a change without an event is known only to the platform and to pulls of users. */
    told: last && { isDeleted: last.isDeleted, groups: last.groups, managerIds: toIds(last.managers) },
  }
}
