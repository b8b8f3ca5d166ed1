import { createHash } from 'node:crypto'
import type { Delivery } from '../scope.ts'

/** First instant that is too late to be known. */
const tooLate = Date.UTC(2149, 0, 1)

const isoText =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?)?$/

/** A time on the wire as epoch milliseconds, or `undefined` where it is unknown. */
export function readInstant(value: unknown): number | undefined {
  const milliseconds = toMilliseconds(value)
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return undefined
  if (milliseconds <= 0 || milliseconds >= tooLate) return undefined
  return milliseconds
}

function toMilliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value < 0 ? undefined : Math.floor(value)
  if (typeof value !== 'string') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  return isoToMilliseconds(value)
}

function isoToMilliseconds(text: string): number | undefined {
  const match = isoText.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)]
  // Long before the epoch, and Date.UTC would read the years 0 to 99 as 1900 to 1999.
  if (year < 1969) return undefined
  const midnight = new Date(Date.UTC(year, month - 1, day))
  const isCalendarDate =
    midnight.getUTCFullYear() === year &&
    midnight.getUTCMonth() === month - 1 &&
    midnight.getUTCDate() === day
  if (!isCalendarDate || hour > 23 || minute > 59 || second > 59) return undefined
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offsetHours = Number(match[10] ?? 0)
  const offsetMinutes = Number(match[11] ?? 0)
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const offset = (match[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + fraction - offset
}

export const wireStatuses = [
  'not_started',
  'in_progress',
  'overdue',
  'needs_grading',
  'completed',
  'failed',
] as const
export type WireStatus = (typeof wireStatuses)[number]

/** From the lowest rank to the highest. */
export const assignmentEventTypes = [
  'assignmentCreated.challenge',
  'assignmentProgress.challenge',
  'assignmentCompleted.challenge',
  'assignmentDeleted.challenge',
] as const
export type AssignmentEventType = (typeof assignmentEventTypes)[number]

/** The fields of one payload by itself; `undefined` is unknown, and an unknown flag is not true. */
export type Payload = {
  userId: string | undefined
  challengeId: string | undefined
  createdAt: number | undefined
  updatedAt: number | undefined
  dueDate: number | undefined
  reviewersDueDate: number | undefined
  completedAt: number | undefined
  firstViewedAt: number | undefined
  calculatedGrade: number | undefined
  completionPercentage: number | undefined
  status: WireStatus | undefined
  isCompleted: boolean
  isSubmitted: boolean
  isPartiallyGraded: boolean
  isFullyGraded: boolean
  passed: boolean
  isCompletedOnTime: boolean | undefined
  isOverdue: boolean | undefined
}

export type JsonObject = { [key: string]: unknown }

export type UsableEvent = {
  eventId: string
  eventType: string
  timestamp: number
  user: JsonObject | undefined
  assignment: { type: AssignmentEventType; id: string; payload: Payload } | undefined
}

/** Each usable event once, in no particular order. */
export function readDeliveries(deliveries: Delivery[]): UsableEvent[] {
  const byId = new Map<string, UsableEvent>()
  for (const delivery of deliveries) {
    const event = readEvent(delivery.body)
    if (event !== undefined) byId.set(event.eventId, event)
  }
  return [...byId.values()]
}

/** `undefined` where the event cannot be used at all. */
export function readEvent(body: Uint8Array | string): UsableEvent | undefined {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const envelope = readObject(parseJson(bytes))
  if (envelope === undefined) return undefined

  const eventType = envelope['eventType']
  if (typeof eventType !== 'string' || eventType === '') return undefined
  const timestamp = readInstant(envelope['timestamp'])
  if (timestamp === undefined) return undefined

  const eventId = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const user = readObject(envelope['user'])
  const type = assignmentEventTypes.find((known) => known === eventType)
  if (type === undefined) return { eventId, eventType, timestamp, user, assignment: undefined }

  const challengeAssignment = readObject(envelope['challengeAssignment'])
  const id = readId(challengeAssignment?.['id'])
  if (challengeAssignment === undefined || id === undefined) return undefined
  const payload = readPayload(challengeAssignment, user, readObject(envelope['challenge']))
  return { eventId, eventType, timestamp, user, assignment: { type, id, payload } }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return toWellFormed(JSON.parse(text))
  } catch {
    return undefined
  }
}

function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), toWellFormed(inner)]),
  )
}

function readPayload(assignment: JsonObject, user?: JsonObject, challenge?: JsonObject): Payload {
  return {
    userId: readId(user?.['id']),
    challengeId: readId(assignment['challengeId']) ?? readId(challenge?.['id']),
    createdAt: readInstant(assignment['createdAt']),
    updatedAt: readInstant(assignment['updatedAt']),
    dueDate: readInstant(assignment['dueDate']),
    reviewersDueDate: readInstant(assignment['reviewersDueDate']),
    completedAt: readInstant(assignment['completedAt']),
    firstViewedAt: readInstant(assignment['firstViewedAt']),
    calculatedGrade: readNumber(assignment['calculatedGrade']),
    completionPercentage: readNumber(assignment['completionPercentage']),
    status: wireStatuses.find((status) => status === assignment['status']),
    isCompleted: assignment['isCompleted'] === true,
    isSubmitted: assignment['isSubmitted'] === true,
    isPartiallyGraded: assignment['isPartiallyGraded'] === true,
    isFullyGraded: assignment['isFullyGraded'] === true,
    passed: assignment['passed'] === true,
    isCompletedOnTime: readFlag(assignment['isCompletedOnTime']),
    isOverdue: readFlag(assignment['isOverdue']),
  }
}

export function readObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}

export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}
