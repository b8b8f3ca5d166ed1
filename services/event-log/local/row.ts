/** A row of the local log's table, and how to tell that it holds what was written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import type { LogRecord, PositionedRecord } from '../event-log.ts'

/** The size of a page of the file: a repair reads by it, whatever a damaged header says. */
export const pageBytes = 8_192

/** The bytes of a record on disk beside its body, key and source; measured, and rounded up. */
const recordOverheadBytes = 80

export function sizeOf(record: { body: Uint8Array; key: string; source: string }): number {
  return record.body.byteLength + record.key.length + record.source.length + recordOverheadBytes
}

/** As SQLite gives it, which checks no types when it reads: of a damaged file every value may be anything. */
export type Row = Record<'offset' | 'received_at' | 'source' | 'key' | 'event_id' | 'body' | 'crc', unknown>

export const rowColumns = 'offset, received_at, source, key, event_id, body, crc'

/** SQLite keeps no checksum of its pages, so every row has its own. */
export function toChecksum(record: LogRecord, offset: number): number {
  const { receivedAt, source, key, eventId } = record
  return crc32(record.body, crc32(JSON.stringify([offset, receivedAt, source, key, eventId])))
}

/** Marks a damaged record for good: no record has this checksum. */
export const wrongChecksum = -1

/** `undefined`: it cannot be a record of ours. */
export function toRecord(row: Row): PositionedRecord | undefined {
  const { offset, received_at, source, key, event_id, body, crc } = row
  if (!isWhole(offset) || !(body instanceof Uint8Array)) return undefined
  const saidId = typeof event_id === 'string' && /^[0-9a-f]{32}$/.test(event_id) ? event_id : undefined
  const toWhole = (eventId: string): PositionedRecord => ({
    offset,
    key: typeof key === 'string' ? key : eventId,
    eventId,
    source: typeof source === 'string' ? source : 'unknown',
    receivedAt: isInstant(received_at) ? received_at : 0,
    body,
  })
  /** With any time, where the checksum shows that it was written: a clock may be far off. */
  const toWritten = (eventId: string): PositionedRecord | undefined => {
    const record = { ...toWhole(eventId), receivedAt: isWhole(received_at) ? received_at : 0 }
    return crc === toChecksum(record, offset) ? record : undefined
  }
  const written = saidId === undefined ? undefined : toWritten(saidId)
  if (written !== undefined) return written
  const id = toEventId(body)
  // The damage is beside the body: the delivery is whole. Its time is known by its neighbours at best.
  if (id === saidId) return toWhole(id)
  // The damage is in the id itself.
  return toWritten(id) ?? (saidId === undefined ? undefined : { ...toWhole(saidId), isDamaged: true })
}

/** Whether all of the record is as it was written, at this offset, by the checksum. */
export function isExact(row: Row, record: PositionedRecord): boolean {
  return row.crc === toChecksum(record, record.offset)
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Times that can be right where no checksum says so. */
const firstInstant = Date.UTC(2000)
const lastInstant = Date.UTC(2200)

function isInstant(value: unknown): value is number {
  return isWhole(value) && value >= firstInstant && value <= lastInstant
}

// How rows get into the local log's table, for its writer and for repairs.

/** `bytes`: of all records through this one. */
export function prepareInsert(database: DatabaseSync) {
  const statement = database.prepare(
    `INSERT INTO records (bytes_through, ${rowColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return (record: LogRecord, offset: number, bytes: number): void => {
    const { receivedAt, source, key, eventId, body, isDamaged = false } = record
    const checksum = isDamaged ? wrongChecksum : toChecksum(record, offset)
    statement.run(bytes, offset, receivedAt, source, key, eventId, body, checksum)
  }
}

const transactionStatements = new WeakMap<DatabaseSync, Record<'begin' | 'commit' | 'rollback', StatementSync>>()

export function inTransaction(database: DatabaseSync, step: () => void): void {
  let statements = transactionStatements.get(database)
  if (statements === undefined) {
    statements = {
      begin: database.prepare('BEGIN IMMEDIATE'),
      commit: database.prepare('COMMIT'),
      rollback: database.prepare('ROLLBACK'),
    }
    transactionStatements.set(database, statements)
  }
  statements.begin.run()
  try {
    step()
    statements.commit.run()
  } catch (error) {
    // Some errors (a full disk among them) have already rolled back.
    if (database.isTransaction) statements.rollback.run()
    throw error
  }
}
