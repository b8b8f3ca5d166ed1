/** An assignment as the platform knows it: its state, its record in the specification's shape, and how an event is written. */
import { createRandom, toHash, toUuid } from '../random.ts'
import { toDay } from './calendar.ts'
import type { Challenge, Person } from './population.ts'

/** An event is `assignment<Kind>.challenge`. */
export type EventKind = 'Created' | 'Progress' | 'Completed' | 'Deleted'

export type Assignment = ReturnType<typeof createAssignment>

export type LifeState = ReturnType<typeof startLife>

export function createAssignment(seed: string, index: number, person: Person, challenge: Challenge) {
  return {
    id: toUuid(`${seed}/assignment`, index),
    person,
    challenge,
    random: createRandom(`${seed}/assignment`, index),
    eventsSent: 0,
    /** Counts deletions: what was planned before one does not happen. */
    lives: 0,
    ...startLife(0, null),
  }
}

/** The part that starts again when an assignment is created again after a deletion. */
export function startLife(createdAt: number, dueDate: number | null) {
  return {
    isDeleted: false,
    createdAt,
    updatedAt: createdAt,
    dueDate,
    firstDueDate: dueDate,
    percentage: 0,
    firstViewedAt: null as number | null,
    lastViewedAt: null as number | null,
    isSubmitted: false,
    reviewersDueDate: null as number | null,
    grade: 0,
    graded: 'no' as 'no' | 'partly' | 'fully',
    completedAt: null as number | null,
    /** `isOverdue` in the last event. */
    isOverdueTold: false,
  }
}

/** The learner still has to act. */
export const isOpen = ({ isDeleted, isSubmitted }: Assignment) => !isDeleted && !isSubmitted

/** As the platform would answer at an instant. Only being overdue comes with time; everything else needs an action. */
export function toRecord(assignment: Assignment, at: number) {
  const { challenge, dueDate, percentage, isSubmitted, graded, grade, completedAt } = assignment
  const isFullyGraded = graded === 'fully'
  const passed = isFullyGraded && grade >= challenge.passMark
  const overdueSince = !isSubmitted && dueDate !== null && at > dueDate ? dueDate : null
  const isOverdue = overdueSince !== null
  const open = isOverdue ? 'overdue' : percentage > 0 ? 'in_progress' : 'not_started'
  const handedIn = !isFullyGraded ? 'needs_grading' : passed ? 'completed' : 'failed'
  return {
    id: assignment.id,
    challengeId: challenge.id,
    calculatedGrade: grade,
    completionPercentage: percentage,
    numDaysOverdue: isOverdue ? toDay(at) - toDay(overdueSince) : null,
    status: isSubmitted ? handedIn : open,
    isCompleted: passed,
    isCompletedOnTime: completedAt !== null && (dueDate === null || completedAt <= dueDate),
    isFullyGraded,
    isOverdue,
    isPartiallyGraded: graded === 'partly',
    isSubmitted,
    passed,
    completedAt,
    createdAt: assignment.createdAt,
    dueDate,
    firstViewedAt: assignment.firstViewedAt,
    lastViewedAt: assignment.lastViewedAt,
    reviewersDueDate: assignment.reviewersDueDate,
    updatedAt: assignment.updatedAt,
  }
}

const toEvent = (kind: EventKind, at: number, user: object, assignment: Assignment) => ({
  eventType: `assignment${kind}.challenge`,
  timestamp: at,
  user,
  challenge: { id: assignment.challenge.id, displayTitle: assignment.challenge.title },
  challengeAssignment: toRecord(assignment, at),
})

/** As in section 6 of the specification, with the user of live platforms. */
export const writeEvent = (kind: EventKind, at: number, assignment: Assignment) =>
  JSON.stringify(toEvent(kind, at, toUser(assignment.person), assignment))

const optionalFields = new Set(
  'numDaysOverdue isSubmitted completedAt dueDate firstViewedAt lastViewedAt reviewersDueDate'.split(' '),
)

/** By the letter: ids are strings, the user has only the shown fields, and unset fields are null here, absent there. */
export function writeSpecifiedEvent(kind: EventKind, at: number, assignment: Assignment): string {
  const { id, name, email } = assignment.person
  const { challengeAssignment, ...event } = toEvent(kind, at, { id: String(id), name, email }, assignment)
  const fields = Object.entries(challengeAssignment).filter(([field, value], index) => {
    const isAbsent = optionalFields.has(field) && (index + assignment.eventsSent + id) % 2 === 0
    return !(isAbsent && (value === null || value === false))
  })
  return JSON.stringify({ ...event, challengeAssignment: Object.fromEntries(fields) })
}

const toNamed = ({ id, name, email }: Person) => ({ id, name, email })

/** The user inside events, as live platforms send it. User ids are JSON integers there. */
export function toUser({ id, name, email, isAdmin, isDeleted, createdAt, updatedAt, ...person }: Person) {
  const custom = { office: person.office, department: person.team.department }
  return {
    id,
    name,
    email,
    isAdmin,
    isDeleted,
    isPermanentlyDeleted: false,
    createdAt,
    updatedAt,
    groups: person.groups.map((group) => ({ id: group.id, name: group.name })),
    customAttributes: Object.entries(custom).map(([apiName, value]) => {
      return { id: `attribute-${toHash(apiName)}`, apiName, value }
    }),
    userIdentifiers: [],
    managers: person.managers.map(toNamed),
  }
}

/** A pulled user reports to whom, and says neither groups nor managers, unless `withGroups`. */
export function toPulledUser(person: Person, reports: readonly Person[], withGroups: boolean) {
  const { groups, managers, customAttributes: _1, userIdentifiers: _2, ...user } = toUser(person)
  const more = withGroups ? { groups, managers } : {}
  return { ...user, directReports: reports.map(toNamed), certifications: [], ...more }
}
