import { assignmentEventTypes, type AssignmentEventType, type Payload, type UsableEvent } from './reading.ts'

export type AssignmentEvent = {
  eventId: string
  timestamp: number
  type: AssignmentEventType
  assignmentId: string
  payload: Payload
}

/** An assignment as its events up to T leave it. */
export type Life = {
  assignmentId: string
  isDeleted: boolean
  /** The events of the current life, in order; never empty. */
  events: AssignmentEvent[]
  /** The payload of the last event, whole. */
  state: Payload
  createdAt: number
  isCreatedAtAssumed: boolean
  userId: string | undefined
  challengeId: string | undefined
}

/** The histories of all assignments, each in event order. */
export function toHistories(events: UsableEvent[]): AssignmentEvent[][] {
  const histories = new Map<string, AssignmentEvent[]>()
  for (const { eventId, timestamp, assignment } of events) {
    if (assignment === undefined) continue
    const history = histories.get(assignment.id) ?? []
    history.push({
      eventId,
      timestamp,
      type: assignment.type,
      assignmentId: assignment.id,
      payload: assignment.payload,
    })
    histories.set(assignment.id, history)
  }
  return [...histories.values()].map((history) => history.sort(inEventOrder))
}

function inEventOrder(a: AssignmentEvent, b: AssignmentEvent): number {
  return (
    a.timestamp - b.timestamp ||
    (a.payload.updatedAt ?? 0) - (b.payload.updatedAt ?? 0) ||
    assignmentEventTypes.indexOf(a.type) - assignmentEventTypes.indexOf(b.type) ||
    (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0)
  )
}

/** `undefined` where the assignment is not known at this instant. */
export function lifeAt(history: AssignmentEvent[], instant: number): Life | undefined {
  const upToNow = history.filter((event) => event.timestamp <= instant)
  if (upToNow.length === 0) return undefined

  const isDeleted = upToNow.some((event, at) => isDeletion(event) && !upToNow.slice(at).some(isCreation))
  const lastUndone = upToNow.findLastIndex(
    (event, at) => isDeletion(event) && upToNow.slice(at).some(isCreation),
  )
  const begin = lastUndone === -1 ? 0 : upToNow.findIndex((event, at) => at > lastUndone && isCreation(event))

  const events = upToNow.slice(begin)
  const first = events[0]!
  const state = events.at(-1)!.payload
  const createdAt = lastKnown(events, (payload) => payload.createdAt)
  return {
    assignmentId: first.assignmentId,
    isDeleted,
    events,
    state,
    createdAt: createdAt ?? first.timestamp,
    isCreatedAtAssumed: createdAt === undefined,
    userId: lastKnown(events, (payload) => payload.userId),
    challengeId: lastKnown(events, (payload) => payload.challengeId),
  }
}

function isDeletion(event: AssignmentEvent): boolean {
  return event.type === 'assignmentDeleted.challenge'
}

function isCreation(event: AssignmentEvent): boolean {
  return event.type === 'assignmentCreated.challenge'
}

function lastKnown<Value>(
  events: AssignmentEvent[],
  read: (payload: Payload) => Value | undefined,
): Value | undefined {
  return events.map((event) => read(event.payload)).findLast((value) => value !== undefined)
}
