/**
 * The synthetic events that heal a difference. They go through the log like every delivery, so a rebuild has them, under
 * the source `reconcile` and with a `rollcall` object that states the reason. The same difference makes the same bytes
 * and event id: healing twice is a repeat. A `Created` that was lost is made up of what the specification (2.2) says of a new
 * assignment; its first due date is not known.
 */
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { AssignmentEventType } from '../../../schemas/webhook/event.ts'
import { reconcileSource } from '../../config/token.ts'
import type { LogRecord } from '../../event-log/event-log.ts'
import type { Difference } from './compare-assignments.ts'

/** The specification's values of a new assignment (2.2). */
const newAssignment = {
  calculatedGrade: 0,
  completionPercentage: 0,
  numDaysOverdue: null,
  status: 'not_started',
  isCompleted: false,
  isCompletedOnTime: false,
  isFullyGraded: false,
  isOverdue: false,
  isPartiallyGraded: false,
  isSubmitted: false,
  passed: false,
  completedAt: null,
  firstViewedAt: null,
  lastViewedAt: null,
  reviewersDueDate: null,
}

/** `answeredAtMs`: when the platform had answered, the latest moment at which it held. */
export function toHealingRecords(difference: Difference, answeredAtMs: number): LogRecord[] {
  return toEvents(difference, answeredAtMs).map((event) => {
    const body = Buffer.from(JSON.stringify(event))
    return {
      key: difference.assignmentId,
      eventId: toEventId(body),
      source: reconcileSource,
      receivedAt: answeredAtMs,
      body,
    }
  })
}

function toEvents(difference: Difference, answeredAtMs: number): Record<string, unknown>[] {
  const { assignmentId, userId, challengeId, kind, fields } = difference
  if (kind === 'extra') return [deletion(answeredAtMs)]
  if (kind === 'created') {
    const { createdAtMs, isAfterAnother } = difference.life
    return [...(isAfterAnother ? [endBefore(createdAtMs)] : []), creation(createdAtMs)]
  }
  const { payload, ourRow: ours } = difference
  const sent = JSON.parse(Buffer.from(payload.body).toString()) as Record<string, unknown>
  const { createdAt, updatedAt } = payload.event.wire.challengeAssignment ?? {}
  const lastMs = ours?.validFromMs ?? 0
  const isAgain = ours?.isDeleted === 1
  // When it changed, if the platform says so and it is later than what we know; else only an upper bound is known.
  const changedAtMs = updatedAt != null && updatedAt > lastMs && updatedAt <= answeredAtMs ? updatedAt : answeredAtMs
  const state = toState(isAgain ? 'assignmentCreated.challenge' : payload.event.assignment.eventType, changedAtMs)
  // Created after our last event: another life, whose start and preceding deletion were both missed.
  const isAnotherLife =
    kind === 'stale' &&
    fields.includes('createdAt') &&
    createdAt != null &&
    createdAt > lastMs &&
    createdAt <= changedAtMs
  if (!isAnotherLife) return [state]
  return [endBefore(createdAt), toState('assignmentCreated.challenge', changedAtMs)]

  /** Only the person's id: the platform's present facts say nothing about that time. */
  function toState(eventType: AssignmentEventType, timestamp: number): Record<string, unknown> {
    return { ...sent, ...toEnvelope(eventType, timestamp), ...toMark(kind) }
  }
  function deletion(timestamp: number, reason: string = kind): Record<string, unknown> {
    return {
      ...toEnvelope('assignmentDeleted.challenge', timestamp),
      challengeAssignment: toIds(),
      ...toMark(reason),
    }
  }
  /** Whichever difference shows it, it is the same event. */
  function endBefore(createdAtMs: number): Record<string, unknown> {
    return deletion(createdAtMs - 1, 'another_life')
  }
  /** Without `updatedAt`: the lost one comes after it if it was only late. */
  function creation(createdAt: number): Record<string, unknown> {
    return {
      ...toEnvelope('assignmentCreated.challenge', createdAt),
      challengeAssignment: { ...toIds(), ...newAssignment, createdAt },
      ...toMark('created'),
    }
  }
  function toEnvelope(eventType: AssignmentEventType, timestamp: number) {
    return { eventType, timestamp, user: { id: userId } }
  }
  function toIds() {
    return { id: assignmentId, ...(challengeId !== '' && { challengeId }) }
  }
  function toMark(reason: string) {
    const isOfFields = reason === kind && fields.length > 0
    return { rollcall: { synthetic: reconcileSource, reason, ...(isOfFields && { fields }) } }
  }
}
