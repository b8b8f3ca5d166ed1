/**
 * The platform's own state, for comparison with what receivers made of its events. It comes from the changed records, not
 * from the sent events.
 */
import type { Calendar } from './calendar.ts'
import type { Group, Person, Population } from './population.ts'
import { toRecordAt, type Assignment, type ChallengeAssignment } from './record.ts'

type TruthPerson = {
  id: number
  name: string
  email: string
  isDeleted: boolean
  leftAt: number | undefined
  groups: readonly Group[]
  managerIds: number[]
  /**
   * What events have said of the person so far, `undefined` if none: a change without an event is known only to the
   * platform and to pulls of users.
   */
  told: { isDeleted: boolean; groups: readonly Group[]; managerIds: number[] } | undefined
}

export type TruthAssignment = {
  /** As the platform would answer at that instant; `status`, `isOverdue` and `numDaysOverdue` are as of then. */
  record: ChallengeAssignment
  challengeTitle: string
  userId: number
  deleted: boolean
  deletedAt: number | undefined
  /** 1, and one more for each re-creation under the same id. */
  life: number
  /** Of the current life; moments are those of the events. */
  firstDueDate: number | null
  firstSubmittedAt: number | undefined
  firstGradedAt: number | undefined
  /** `isOverdue` in the last event: the platform reports it once a night. */
  reportedOverdue: boolean
}

export type Truth = { at: number; timeZone: string; people: TruthPerson[]; assignments: TruthAssignment[] }

export function toTruth(state: {
  at: number
  calendar: Calendar
  population: Population
  assignments: ReadonlyMap<string, Assignment>
}): Truth {
  const { at, calendar, population } = state
  return {
    at,
    timeZone: calendar.timeZone,
    people: population.people.map(toTruthPerson),
    assignments: Array.from(state.assignments.values(), (assignment) => ({
      record: toRecordAt(assignment, at, calendar),
      challengeTitle: assignment.challenge.title,
      userId: assignment.person.id,
      deleted: assignment.deletedAt !== undefined,
      deletedAt: assignment.deletedAt,
      life: assignment.life,
      firstDueDate: assignment.firstDueDate,
      firstSubmittedAt: assignment.firstSubmittedAt,
      firstGradedAt: assignment.firstGradedAt,
      reportedOverdue: assignment.record.isOverdue,
    })),
  }
}

function toTruthPerson(person: Person): TruthPerson {
  const { id, name, email, isDeleted, leftAt, groups, told } = person
  return {
    id,
    name,
    email,
    isDeleted,
    leftAt,
    groups,
    managerIds: person.managers.map((manager) => manager.id),
    told: told && {
      isDeleted: told.isDeleted,
      groups: told.groups,
      managerIds: told.managers.map((manager) => manager.id),
    },
  }
}
