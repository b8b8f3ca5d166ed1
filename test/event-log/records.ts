import { createHash, randomUUID } from 'node:crypto'
import type { LogRecord } from '../../services/event-log/event-log.ts'

/** A record around a body, named as ingest would name it. */
export function toRecord(body: Uint8Array | string, key: string = randomUUID()): LogRecord {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return { key, eventId: toId(bytes), source: 'default', receivedAt: Date.now(), body: bytes }
}

export function toId(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32)
}
