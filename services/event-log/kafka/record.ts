/**
 * A delivery in Kafka: the raw body as value, the log's key as key, the rest as headers, so that any tool can read it.
 */
import type { KafkaMessage } from 'kafkajs'
import { isEventId, toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { PositionedRecord } from '../event-log.ts'

/** The source of records from other producers. */
const unknownSource = 'kafka'

export function toRecord({ offset, key, value, timestamp, headers }: KafkaMessage): PositionedRecord {
  const eventId = readHeader(headers?.['event-id'])
  const times = [Number(readHeader(headers?.['received-at'])), Number(timestamp)]
  const oddRequest = readHeader(headers?.['odd-request'])
  const body = value ?? new Uint8Array(0)
  return {
    offset: Number(offset),
    key: key?.toString() ?? '',
    eventId: isEventId(eventId) ? eventId : toEventId(body),
    source: readHeader(headers?.['source']) || unknownSource,
    receivedAt: times.find((time) => Number.isSafeInteger(time) && time > 0 && time < endOfTimeMs) ?? 0,
    body,
    ...(oddRequest !== '' && { oddRequest }),
    ...(readHeader(headers?.['damaged']) === 'true' && { isDamaged: true }),
  }
}

/** 2106, where a DateTime of ClickHouse ends. */
const endOfTimeMs = 2 ** 32 * 1000

type HeaderValue = Buffer | string | (Buffer | string)[] | undefined

function readHeader(value: HeaderValue): string {
  const first = Array.isArray(value) ? value[0] : value
  return first?.toString() ?? ''
}
