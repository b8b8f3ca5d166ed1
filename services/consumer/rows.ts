/** Turns a log record into rows. Pure; schemas/clickhouse has the meaning of the rows. */
import { toAssignmentKey } from '../../schemas/webhook/event-bits.ts'
import { findContradictions } from '../../schemas/webhook/contradictions.ts'
import { findOddTimes } from '../../schemas/webhook/odd-times.ts'
import type { WireUser } from '../../schemas/webhook/event.ts'
import type { Attribute } from '../../schemas/webhook/field.ts'
import { parseDelivery, type DeliveredEvent } from '../../schemas/webhook/parse-delivery.ts'
import type { PositionedRecord } from '../event-log/event-log.ts'
import {
  blank,
  erasedBody,
  erasedProblem,
  namesErased,
  toCleanTitle,
  withoutErased,
  type ErasedPeople,
} from './erased-people.ts'
import { toStoredEvent } from './fold/stored-event.ts'
import type { UserObservation } from './fold/fold-user.ts'
import { reconcileSource } from '../config/token.ts'

export type NameRow = {
  kind: 'challenge' | 'team'
  id: string
  name: string
  counts_from: number
  last_seen: number
}

export type DeliveredObservation = UserObservation & {
  userId: string
  isNumericId: boolean
  managers: string[] | undefined
  directReports: string[] | undefined
}

export type PreparedEvent = {
  outcome: 'event'
  record: PositionedRecord
  assignmentKey: string
  eventTimeMs: number
  drift: string[]
  /** Bits of `contradictions`. */
  contradictions: number
  row: Record<string, unknown>
  observation: DeliveredObservation | undefined
  names: NameRow[]
}

export type Prepared =
  PreparedEvent | { outcome: 'failed'; record: PositionedRecord; row: Record<string, unknown> }

/** The rest of it may read like an event that nobody sent. */
const damaged = {
  outcome: 'failed' as const,
  problems: [
    { reason: 'damaged', message: 'The event log was damaged here: this is not the body that was received.' },
  ],
}

/**
 * Removes what identifies an `erased` person: the body if it names one, and name, email and attributes. The facts stay. Of other
 * people it keeps the listed `attributes` only.
 */
export function prepareRecord(
  delivered: PositionedRecord,
  partition: number,
  erased?: ErasedPeople,
  attributes: readonly string[] = [],
): Prepared {
  const isErased = erased !== undefined && namesErased(delivered.body, erased)
  const record = isErased ? { ...delivered, body: erasedBody } : delivered
  const delivery = record.isDamaged ? damaged : parseDelivery(delivered.body)
  const common = toDeliveryColumns(record, partition)
  if (delivery.outcome === 'failed') {
    const reasons = delivery.problems.map((problem) => problem.reason)
    const problems = delivery.problems.map(({ message }) => (isErased ? erasedProblem : message))
    return { outcome: 'failed', record, row: { ...common, reasons, problems } }
  }
  const { event } = delivery
  const assignmentKey = toAssignmentKey(event.assignment?.id ?? record.eventId)
  // A delivery that Rollcall made up itself says nothing about the platform.
  const isOwn = record.source === reconcileSource
  const contradictions = isOwn ? 0 : findContradictions(event)
  const { receivedAt, oddRequest } = record
  const odd = [...findOddTimes(event, receivedAt), ...(oddRequest === undefined ? [] : oddRequest.split(' '))]
  const drift = isOwn ? delivery.drift : [...delivery.drift, ...odd].sort()
  return {
    outcome: 'event',
    record,
    assignmentKey,
    eventTimeMs: event.timestamp,
    drift,
    contradictions,
    row: {
      ...toStoredEvent(event, record.eventId),
      ...common,
      akey: assignmentKey,
      drift,
      contradictions,
      eventType: event.eventType,
      assignmentId: event.assignment?.id ?? '',
    },
    observation: toObservation(event, record.eventId, attributes, erased),
    names: toNames(event, record.receivedAt, erased?.titles),
  }
}

export function toDeliveryColumns(
  { eventId, receivedAt, source, offset }: Omit<PositionedRecord, 'key' | 'body'>,
  partition: number,
) {
  return { eventId, receivedAt, source, logPartition: partition, logOffset: offset }
}

function toObservation(
  { eventType, timestamp, isNumericUserId, wire }: DeliveredEvent,
  eventId: string,
  attributes: readonly string[],
  erased: ErasedPeople | undefined,
): DeliveredObservation | undefined {
  const user = wire.user
  if (!user?.id) return undefined
  const observation = {
    userId: user.id,
    isNumericId: isNumericUserId,
    observedAtMs: timestamp,
    kind: 'event' as const,
    observationId: eventId,
    isDeleted: eventType === 'userDeleted' ? true : toSaid(user.isDeleted, false),
    isPermanentlyDeleted: toSaid(user.isPermanentlyDeleted, false),
    teams: toIds(user.groups),
    managers: toIds(user.managers),
    directReports: toIds(user.directReports),
    attributes: toAttributes(user.customAttributes, attributes),
    name: toSaid(user.name, ''),
    email: toSaid(user.email, ''),
  }
  return withoutErased(observation, erased)
}

/** Absent says nothing; null clears. */
export function toSaid<T>(value: T | null | undefined, cleared: T): T | undefined {
  return value === null ? cleared : value
}

/** Sorted and unique, so that the platform's order says nothing. */
function toIds(references: WireUser['groups']): string[] | undefined {
  if (references === undefined) return undefined
  return [...new Set((references ?? []).flatMap((reference) => (reference?.id ? [reference.id] : [])))].sort()
}

/** Those that are allowed, as `UserObservation` has them. */
export function toAttributes(
  sent: readonly Attribute[] | null | undefined,
  allowed: readonly string[],
): string | undefined {
  if (sent === undefined || allowed.length === 0) return undefined
  const values = new Map((sent ?? []).map(({ apiName, value }) => [apiName, value]))
  const attributes = allowed.toSorted().map((name) => [name, values.get(name) ?? ''])
  return JSON.stringify(Object.fromEntries(attributes.filter(([, value]) => value !== '')))
}

/** Clocks of two machines differ: a stamp that is at most this much after the receipt is of now. */
const clockDifferenceMs = 300_000
const hourMs = 3_600_000

function toNames(
  { assignment, timestamp, wire }: DeliveredEvent,
  receivedAt: number,
  titles: ErasedPeople['titles'] = new Map(),
): NameRow[] {
  const names: NameRow[] = []
  const isAhead = timestamp > receivedAt + clockDifferenceMs
  const seen = { counts_from: isAhead ? Math.ceil(timestamp / hourMs) * hourMs : 0, last_seen: timestamp }
  const title = wire.challenge?.displayTitle
  if (
    assignment?.challengeId &&
    isName(title) &&
    (wire.challenge?.id ?? assignment.challengeId) === assignment.challengeId
  ) {
    names.push({ kind: 'challenge', id: assignment.challengeId, name: title, ...seen })
  }
  for (const group of wire.user?.groups ?? []) {
    if (group?.id && isName(group.name)) names.push({ kind: 'team', id: group.id, name: group.name, ...seen })
  }
  return names
    .map((row) => ({ ...row, name: toCleanTitle(row.name, titles) }))
    .filter(({ name }) => isName(name))
}

/** Not the remains of an erased person's name: the earlier name stays. */
function isName(text: string | null | undefined): text is string {
  return text != null && text !== '' && text !== blank
}
