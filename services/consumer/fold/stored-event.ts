/** One event of one assignment as the fold sees it, its fields named after the columns. */
import {
  assignmentFieldList,
  type AssignmentField,
  type assignmentFields,
  type FieldOfType,
} from '../../../schemas/webhook/event.ts'
import { eventNumbers, flagBits, numbersInOrder } from '../../../schemas/webhook/event-bits.ts'
import type { DeliveredEvent } from '../../../schemas/webhook/parse-delivery.ts'
import { toField, type FieldOf } from '../../clickhouse/insert-rows.ts'

type Fields = typeof assignmentFields
type StoredFields = {
  [
    Name in AssignmentField as Fields[Name] extends { column: infer Column extends string; type: infer Type }
      ? FieldOf<Column, Type extends 'time' ? true : false>
      : never
  ]: Name extends FieldOfType<'time'> ? number : Name extends FieldOfType<'number'> ? number | null : string
}

const unknown = { time: 0, number: null, status: '' } as Record<string, unknown>
const stored = assignmentFieldList.flatMap(([name, { type, column }]) =>
  column === undefined ? [] : [{ name, type, column, field: toField(column, type === 'time') }],
)

/** What a `StoredEvent` reads of those columns. */
export const storedFieldsInSql = stored
  .map(
    ({ type, column, field }) =>
      `${type === 'time' ? `toUnixTimestamp64Milli(${column})` : column} AS ${field}`,
  )
  .join(', ')

export type StoredEvent = ReturnType<typeof toStoredEvent>

/** Times are epoch ms, 0 = unknown; ids are text, '' = unknown. */
export function toStoredEvent(event: DeliveredEvent, eventId: string) {
  const sent = event.wire.challengeAssignment ?? {}
  const typeNumber: number = event.assignment === undefined ? 0 : eventNumbers[event.assignment.eventType]
  const fields: Record<string, unknown> = {}
  for (const { name, type, field } of stored) fields[field] = sent[name] ?? unknown[type]
  return {
    eventId,
    eventTimeMs: event.timestamp,
    typeNumber,
    challengeId: event.assignment?.challengeId ?? '',
    userId: event.wire.user?.id ?? '',
    ...toFlags(sent),
    ...(fields as StoredFields),
  }
}

/** Bits of `flagBits`: which flags were sent, and which of those were true. */
function toFlags(sent: { [flag in keyof typeof flagBits]?: boolean | null | undefined }) {
  const flags = { flagsKnown: 0, flagsTrue: 0 }
  for (const [name, bit] of Object.entries(flagBits)) {
    const value = sent[name as keyof typeof flagBits]
    if (value == null) continue
    flags.flagsKnown |= bit
    if (value) flags.flagsTrue |= bit
  }
  return flags
}

/** The event order of METRICS.md: event time, then updatedAt, then the order of types, then event id as text. */
export function compareEvents(a: StoredEvent, b: StoredEvent): number {
  return (
    a.eventTimeMs - b.eventTimeMs ||
    a.updatedAtMs - b.updatedAtMs ||
    numbersInOrder.indexOf(a.typeNumber) - numbersInOrder.indexOf(b.typeNumber) ||
    (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0)
  )
}
