/** What the local log's writer and its thread say to each other. */
import type { LogRecord, LogUnavailableError } from './event-log.ts'
import type { LocalStats } from './local-store.ts'

/** A batch as it crosses to the thread: the bodies as one block of memory that is handed over, not copied. */
export type PackedRecords = {
  keys: string[]
  eventIds: string[]
  sources: string[]
  receivedAt: number[]
  ends: number[]
  bodies: Uint8Array<ArrayBuffer>
}

export type LogFailure = { code: LogUnavailableError['code']; message: string }

export type ToThread = { type: 'append'; records: PackedRecords } | { type: 'close' }

export type FromThread =
  | { type: 'opened'; stats: LocalStats }
  | { type: 'appended'; failure?: LogFailure }
  /** Once a second, and after every change of it: whether an append would work, and how full the log is. */
  | { type: 'state'; failure?: LogFailure; stats?: LocalStats }

export function packRecords(records: readonly LogRecord[]): PackedRecords {
  let size = 0
  for (const record of records) size += record.body.byteLength
  const packed: PackedRecords = {
    keys: [],
    eventIds: [],
    sources: [],
    receivedAt: [],
    ends: [],
    bodies: new Uint8Array(size),
  }
  let end = 0
  for (const record of records) {
    packed.keys.push(record.key)
    packed.eventIds.push(record.eventId)
    packed.sources.push(record.source)
    packed.receivedAt.push(record.receivedAt)
    packed.bodies.set(record.body, end)
    end += record.body.byteLength
    packed.ends.push(end)
  }
  return packed
}

export function unpackRecords(packed: PackedRecords): LogRecord[] {
  let start = 0
  return packed.keys.map((key, index) => {
    const end = packed.ends[index] as number
    const record = {
      key,
      eventId: packed.eventIds[index] as string,
      source: packed.sources[index] as string,
      receivedAt: packed.receivedAt[index] as number,
      body: packed.bodies.subarray(start, end),
    }
    start = end
    return record
  })
}
