/** The messages between the local log's writer and its thread. */
import { readDelivery, type DeliverySummary } from '../../../schemas/webhook/parse-delivery.ts'
import type { LogFailure, LogRecord, RawDelivery } from '../event-log.ts'
import type { LocalStats } from './store.ts'

/**
 * A batch as it crosses to the thread. Each object costs at the crossing, so there are two: everything but the bodies as JSON, and
 * the bodies in one block of memory, which is handed over and not copied.
 */
export type PackedRecords = { heads: string; bodies: Uint8Array<ArrayBuffer> }

/** The thread reads the body of a record without key and event id, so that the loop that answers requests need not. */
export type Delivery = RawDelivery & Partial<LogRecord>

export type ToThread = { type: 'append'; records: PackedRecords } | { type: 'close' }

export type FromThread =
  | { type: 'opened'; stats: LocalStats }
  /** `summaries`: as JSON, one for each record. */
  | { type: 'appended'; summaries: string }
  | { type: 'failed'; failure: LogFailure }
  /** Once a second and after every change: whether an append would work, and how full the log is. */
  | { type: 'state'; failure?: LogFailure; stats?: LocalStats }

export function packRecords(deliveries: readonly Delivery[]): PackedRecords {
  const size = deliveries.reduce((sum, { body }) => sum + body.byteLength, 0)
  const bodies = new Uint8Array(size)
  let end = 0
  const heads = deliveries.map(({ body, ...head }) => {
    bodies.set(body, end)
    end += body.byteLength
    return { ...head, bytes: body.byteLength }
  })
  return { heads: JSON.stringify(heads), bodies }
}

/** The records, and what there is to say about each. */
export function unpackRecords({ heads, bodies }: PackedRecords) {
  const records: LogRecord[] = []
  const summaries: DeliverySummary[] = []
  let end = 0
  for (const { bytes, ...head } of JSON.parse(heads) as (Omit<Delivery, 'body'> & { bytes: number })[]) {
    const body = bodies.subarray(end, (end += bytes))
    const { key, eventId } = head
    const read =
      key === undefined || eventId === undefined ? readDelivery(body) : { key, eventId, problems: [] }
    records.push({ ...head, key: read.key, eventId: read.eventId, body })
    summaries.push({ eventId: read.eventId, problems: read.problems })
  }
  return { records, summaries }
}
