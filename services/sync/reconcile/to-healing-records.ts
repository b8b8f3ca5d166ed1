/**
 * The synthetic events that heal a difference. They go through the log like every delivery, so a rebuild has them, under
 * the source `reconcile` and with a `rollcall` object that states the reason. The same difference makes the same bytes
 * and event id: healing twice is a repeat.
 */
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { AssignmentEventType } from '../../../schemas/webhook/event.ts'
import type { LogRecord } from '../../event-log/event-log.ts'
import type { Difference } from './compare-assignments.ts'

/** The source of synthetic events; no ingest token may have this name. */
export const reconcileSource = 'reconcile'

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
  const mark = { rollcall: { synthetic: reconcileSource, reason: kind, ...(fields.length > 0 && { fields }) } }
  if (kind === 'extra') {
    return [deletion(answeredAtMs)]
  }
  const { payload, held } = difference
  const sent = JSON.parse(Buffer.from(payload.body).toString()) as Record<string, unknown>
  const { createdAt, updatedAt } = payload.event.wire.challengeAssignment ?? {}
  const lastMs = held?.valid_from_ms ?? 0
  const isAgain = held?.is_deleted === 1
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
  return [deletion(createdAt - 1), toState('assignmentCreated.challenge', changedAtMs)]

  /** Only the person's id: the platform's present facts say nothing about that time. */
  function toState(eventType: AssignmentEventType, timestamp: number): Record<string, unknown> {
    return { ...sent, eventType, timestamp, user: { id: userId }, ...mark }
  }
  function deletion(timestamp: number): Record<string, unknown> {
    return {
      eventType: 'assignmentDeleted.challenge',
      timestamp,
      user: { id: userId },
      challengeAssignment: { id: assignmentId, ...(challengeId !== '' && { challengeId }) },
      ...mark,
    }
  }
}
