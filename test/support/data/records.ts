/** Deliveries for tests, as the log would hand them over. */
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { LogBatch, PositionedRecord } from '../../../services/event-log/event-log.ts'
import { newAssignment } from './new-assignment.ts'

export const day = 86_400_000
/** Monday 5 January 2026, 00:00 UTC. */
export const monday = Date.UTC(2026, 0, 5)

type Sent = Record<string, unknown>

/** The raw body of an event of assignment `id`, of the specification's shape; `assignment` overrides single fields. */
export function toBody(
  kind: 'Created' | 'Progress' | 'Completed' | 'Deleted',
  id: string,
  timestamp: number,
  assignment: Sent = {},
  user: Sent = {},
): Uint8Array {
  const event = {
    eventType: `assignment${kind}.challenge`,
    timestamp,
    user: { id: 7, name: 'Ada Moreno', email: 'ada@example.com', isDeleted: false, groups: [], ...user },
    challenge: { id: 'c1', displayTitle: 'First call' },
    challengeAssignment: {
      id,
      challengeId: 'c1',
      ...newAssignment,
      completedAt: null,
      createdAt: monday,
      dueDate: monday + 7 * day,
      firstViewedAt: null,
      lastViewedAt: null,
      reviewersDueDate: null,
      updatedAt: timestamp,
      ...assignment,
    },
  }
  return Buffer.from(JSON.stringify(event))
}

export function toRecord(body: Uint8Array, offset: number, source = 'main'): PositionedRecord {
  return {
    key: 'key',
    eventId: toEventId(body),
    source,
    receivedAt: monday + 30 * day + offset,
    body,
    offset,
  }
}

export function toBatch(records: PositionedRecord[], partition = 0): LogBatch {
  return {
    partition,
    records,
    from: records[0]?.offset ?? 0,
    next: (records.at(-1)?.offset ?? -1) + 1,
    heartbeat: async () => {},
    isStale: () => false,
  }
}
