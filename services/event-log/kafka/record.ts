/**
 * A delivery in Kafka: the raw body as value, the log's key as key, the rest as headers, so that any tool can read it.
 */
import type { KafkaMessage, Message } from 'kafkajs'
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { LogRecord, PositionedRecord } from '../event-log.ts'

/** `received-at` repeats the record's timestamp, which a topic with LogAppendTime would replace. */
export function toMessage({ key, eventId, source, receivedAt, body, isDamaged }: LogRecord): Message {
  const timestamp = String(receivedAt)
  return {
    key: Buffer.from(key),
    value: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    timestamp,
    headers: { 'event-id': eventId, source, 'received-at': timestamp, ...(isDamaged && { damaged: 'true' }) },
  }
}

/** The source of records from other producers. */
const unknownSource = 'kafka'

export function toRecord({ offset, key, value, timestamp, headers }: KafkaMessage): PositionedRecord {
  const receivedAt = Number(readHeader(headers?.['received-at']))
  const body = value ?? new Uint8Array(0)
  return {
    offset: Number(offset),
    key: key?.toString() ?? '',
    eventId: readHeader(headers?.['event-id']) || toEventId(body),
    source: readHeader(headers?.['source']) || unknownSource,
    receivedAt: Number.isSafeInteger(receivedAt) && receivedAt > 0 ? receivedAt : Number(timestamp),
    body,
    ...(readHeader(headers?.['damaged']) === 'true' && { isDamaged: true }),
  }
}

type HeaderValue = Buffer | string | (Buffer | string)[] | undefined

function readHeader(value: HeaderValue): string {
  const first = Array.isArray(value) ? value[0] : value
  return first?.toString() ?? ''
}
