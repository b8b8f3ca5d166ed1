/**
 * Reads a delivery's bytes. Ingest and the consumer both use it, so the answer to the sender and the stored row cannot
 * differ.
 */
import { hash } from 'node:crypto'
import { parseJson } from '../json.ts'
import {
  type AssignmentEventType,
  assignmentEventTypes,
  assignmentFieldList,
  webhookSchema,
  type WireAssignment,
  type WireWebhook,
} from './event.ts'
import { maxIdLength } from './field.ts'
import { readTolerantly } from './read-tolerantly.ts'

/** Why a delivery becomes a failed event instead of an event. */
export type FailureReason =
  | 'not_json'
  | 'not_an_object'
  | 'no_event_type'
  | 'no_timestamp'
  | 'no_assignment_id'
  /** It can be used, but the store refuses its rows. Said by the consumer only. */
  | 'not_storable'

export type Problem = { reason: FailureReason; path: string; message: string }

/** A usable event. Unknown values are `undefined` or `null`; nothing is filled in. */
export type DeliveredEvent = {
  eventType: string
  /** Event time, epoch ms. */
  timestamp: number
  /** Set for events of `assignmentEvents` only. */
  assignment?: { eventType: AssignmentEventType; id: string; challengeId: string }
  /** The platform sent `user.id` as a JSON number. */
  isNumericUserId: boolean
  wire: WireWebhook
}

export type Delivery =
  | { outcome: 'event'; event: DeliveredEvent; drift: string[] }
  | { outcome: 'failed'; problems: [Problem, ...Problem[]] }

/** Event id: the first 32 lowercase hex digits of SHA-256 over the raw body. */
export function toEventId(body: Uint8Array): string {
  return hash('sha256', body).slice(0, 32)
}

/** Whether it is of the form of event ids. */
export function isEventId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The JSON of a raw body, whose texts are UTF-8, with or without a byte order mark. Throws where it is none. */
export function parseBody(body: Uint8Array): unknown {
  return parseJson(decoder.decode(body))
}

/** Reads a raw body. Never throws: an unusable body is an outcome with every problem listed. */
export function parseDelivery(body: Uint8Array): Delivery {
  try {
    return toDelivery(parseBody(body))
  } catch (error) {
    return failed('not_json', '', `The body is not JSON: ${toJsonProblem(error)}`)
  }
}

/** The same of a body that was parsed already, by `parseJson`. Drops from `json` what does not fit. */
export function toDelivery(json: unknown): Delivery {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return failed('not_an_object', '', 'The body must be one JSON object, an event.')
  }
  const { value: wire, drift } = readTolerantly(json as Record<string, unknown>, webhookSchema)
  for (const name of findOddNumbers(wire.challengeAssignment ?? {})) drift.add(`challengeAssignment.${name}`)
  const assignmentEvent = assignmentEventTypes.find((type) => type === wire.eventType)
  const id = wire.challengeAssignment?.id
  const problems: Problem[] = []
  const add = (reason: FailureReason, path: string, must: string) =>
    problems.push({ reason, path, message: `${path} must be ${must}` })
  if (!wire.eventType) add('no_event_type', 'eventType', 'text, neither empty nor too long.')
  if (wire.timestamp == null)
    add('no_timestamp', 'timestamp', 'epoch milliseconds or ISO 8601, after 1970 and before 2149.')
  if (assignmentEvent !== undefined && !id) {
    const must = `a number or text of at most ${maxIdLength} characters for ${assignmentEvent}.`
    add('no_assignment_id', 'challengeAssignment.id', must)
  }
  const [first, ...rest] = problems
  if (first !== undefined) return { outcome: 'failed', problems: [first, ...rest] }
  return {
    outcome: 'event',
    drift: [...drift].sort(),
    event: {
      eventType: wire.eventType as string,
      timestamp: wire.timestamp as number,
      ...(assignmentEvent !== undefined && {
        assignment: {
          eventType: assignmentEvent,
          id: id as string,
          challengeId: wire.challengeAssignment?.challengeId ?? wire.challenge?.id ?? '',
        },
      }),
      isNumericUserId: typeof (json as { user?: { id?: unknown } | null }).user?.id === 'number',
      wire,
    },
  }
}

const limits = assignmentFieldList.flatMap(([name, { most }]) => (most === undefined ? [] : [{ name, most }]))

/** Numbers that the specification does not allow. They are kept: the delivery counts as it was sent. */
function findOddNumbers(sent: WireAssignment): string[] {
  return limits.flatMap(({ name, most }) => {
    const value = sent[name] as number | null | undefined
    return value != null && (!Number.isInteger(value) || value < 0 || value > most) ? [name] : []
  })
}

/** The log key of a delivery: its assignment, else its own id. */
export function toLogKey(delivery: Delivery, eventId: string): string {
  return delivery.outcome === 'event' && delivery.event.assignment !== undefined
    ? delivery.event.assignment.id
    : eventId
}

/** In our words: the engine's message quotes the body, and problems are shown to people who may not see it. */
function toJsonProblem(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'TypeError') return 'it is not UTF-8 text.'
  if (message.startsWith('Unexpected end of JSON')) return 'it ends too early.'
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined
    ? 'something in it does not belong there.'
    : `it breaks off at character ${position}.`
}

function failed(reason: FailureReason, path: string, message: string): Delivery {
  return { outcome: 'failed', problems: [{ reason, path, message }] }
}

// The facts of a delivery for a log and an answer, read from its body in one step.

/** The summary for the sender. */
export type DeliverySummary = {
  eventId: string
  /** Why it cannot be used; none: it is accepted. */
  problems: readonly Problem[]
}

/** `key`: under which it goes into the log. */
type ReadDelivery = DeliverySummary & { key: string }

const none: readonly never[] = []

/**
 * Never throws. It drops the parsed event: kept until the log has the delivery, the event would outlive a garbage
 * collection and be copied by it.
 */
export function readDelivery(body: Uint8Array): ReadDelivery {
  const eventId = toEventId(body)
  const delivery = parseDelivery(body)
  const key = toLogKey(delivery, eventId)
  return { key, eventId, problems: delivery.outcome === 'event' ? none : delivery.problems }
}
