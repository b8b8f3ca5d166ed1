/** The platform's own record of an assignment, in the specification's shape, and how an event is written. */
import type { Calendar } from './calendar.ts'
import type { Challenge, Person } from './population.ts'
import { toHash, type Random } from '../random.ts'

export type EventType =
  | 'assignmentCreated.challenge'
  | 'assignmentProgress.challenge'
  | 'assignmentCompleted.challenge'
  | 'assignmentDeleted.challenge'

type Status = 'not_started' | 'in_progress' | 'overdue' | 'needs_grading' | 'completed' | 'failed'

export type ChallengeAssignment = ReturnType<typeof createRecord>

/** An assignment as the platform knows it: its record and its internal state. */
export type Assignment = ReturnType<typeof createLifeOfRecord> & {
  person: Person
  challenge: Challenge
  random: Random
  eventsSent: number
}

/** The part that begins again when an assignment is created again after a deletion. */
export function createLifeOfRecord(id: string, challengeId: string, at: number, dueDate: number | null) {
  return {
    record: createRecord(id, challengeId, at, dueDate),
    failed: false,
    deletedAt: undefined as number | undefined,
    attempts: 0,
    firstDueDate: dueDate,
    firstSubmittedAt: undefined as number | undefined,
    firstGradedAt: undefined as number | undefined,
  }
}

/** A newly created assignment, as in section 2.2 of the specification; values that are not set are null. */
function createRecord(id: string, challengeId: string, at: number, dueDate: number | null) {
  return {
    id,
    challengeId,
    calculatedGrade: 0,
    completionPercentage: 0,
    numDaysOverdue: null as number | null,
    status: 'not_started' as Status,
    isCompleted: false,
    isCompletedOnTime: false,
    isFullyGraded: false,
    isOverdue: false,
    isPartiallyGraded: false,
    isSubmitted: false,
    passed: false,
    completedAt: null as number | null,
    createdAt: at,
    dueDate,
    firstViewedAt: null as number | null,
    lastViewedAt: null as number | null,
    reviewersDueDate: null as number | null,
    updatedAt: at,
  }
}

/** The learner still has to act. */
export function isOpen(assignment: Assignment): boolean {
  const { record } = assignment
  return (
    assignment.deletedAt === undefined && !record.isSubmitted && !record.isCompleted && !assignment.failed
  )
}

/** The record at an instant: only being overdue comes with time; everything else needs an action. */
export function toRecordAt(assignment: Assignment, at: number, calendar: Calendar): ChallengeAssignment {
  const { record, failed } = assignment
  const acting = !record.isSubmitted && !record.isCompleted && !failed
  const isOverdue = acting && record.dueDate !== null && at > record.dueDate
  return {
    ...record,
    isOverdue,
    numDaysOverdue: isOverdue ? calendar.toDay(at) - calendar.toDay(record.dueDate as number) : null,
    status: toStatus(record, failed, isOverdue),
  }
}

function toStatus(record: ChallengeAssignment, failed: boolean, isOverdue: boolean): Status {
  if (record.isCompleted) return 'completed'
  if (failed) return 'failed'
  if (record.isSubmitted) return 'needs_grading'
  if (isOverdue) return 'overdue'
  return record.completionPercentage > 0 ? 'in_progress' : 'not_started'
}

/** An event, as in section 6 of the specification. */
export function writeEvent(eventType: EventType, at: number, assignment: Assignment): string {
  const { person, challenge, record } = assignment
  return (
    `{"eventType":"${eventType}","timestamp":${at},"user":${writeUser(person)},` +
    `"challenge":${JSON.stringify({ id: challenge.id, displayTitle: challenge.title })},` +
    `"challengeAssignment":${JSON.stringify(record)}}`
  )
}

const optionalFields = new Set<string>([
  'numDaysOverdue',
  'isSubmitted',
  'completedAt',
  'dueDate',
  'firstViewedAt',
  'lastViewedAt',
  'reviewersDueDate',
] satisfies (keyof ChallengeAssignment)[])

/** The same by the letter: ids are strings, the user has only the shown fields, and unset fields are null here, absent there. */
export function writeSpecifiedEvent(eventType: EventType, at: number, assignment: Assignment): string {
  const { person, challenge, record, eventsSent } = assignment
  const fields = Object.entries(record).filter(([name, value], index) => {
    const isUnset = value === null || (name === 'isSubmitted' && value === false)
    return !(isUnset && optionalFields.has(name) && (index + eventsSent + person.id) % 2 === 0)
  })
  return JSON.stringify({
    eventType,
    timestamp: at,
    user: { id: String(person.id), name: person.name, email: person.email },
    challenge: { id: challenge.id, displayTitle: challenge.title },
    challengeAssignment: Object.fromEntries(fields),
  })
}

/** The user inside events, as live platforms send it. User ids are JSON integers there. */
export function toEventUser(person: Person) {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    isAdmin: person.isAdmin,
    isDeleted: person.isDeleted,
    isPermanentlyDeleted: false,
    createdAt: person.createdAt,
    updatedAt: person.updatedAt,
    groups: person.groups.map(({ id, name }) => ({ id, name })),
    customAttributes: [
      { id: `attribute-${toHash('office')}`, apiName: 'office', value: person.office },
      { id: `attribute-${toHash('department')}`, apiName: 'department', value: person.team.plan.department },
    ],
    userIdentifiers: [],
    managers: person.managers.map(({ id, name, email }) => ({ id, name, email })),
  }
}

function writeUser(person: Person): string {
  person.written ??= JSON.stringify(toEventUser(person))
  return person.written
}
