/**
 * The platform's own state, for checking what others made of its events. It comes from the records that people's deeds
 * changed, not from what was sent.
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
   * What events have said of the person so far, `undefined` if there was none: a change that no event has told yet is
   * unknown to everyone but the platform (and to whoever pulls users).
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
  /** Of the current life; the moments are those of the events that told them. */
  firstDueDate: number | null
  firstSubmittedAt: number | undefined
  firstGradedAt: number | undefined
  /** `isOverdue` in the last event: the platform tells it once a night. */
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
