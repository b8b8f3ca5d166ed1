/** A row of the local log's table. SQLite keeps no checksum of its pages, so every row has its own. */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { isEventId, toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { toDamagedError } from '../../config/start-error.ts'
import type { LogRecord, PositionedRecord } from '../event-log.ts'
import { toLogError } from './errors.ts'

/** The bytes of a record on disk beside its body, key and source; measured, and rounded up. */
const recordOverheadBytes = 80

export function sizeOf(record: { body: Uint8Array; key: string; source: string }): number {
  return record.body.byteLength + record.key.length + record.source.length + recordOverheadBytes
}

type Row = Omit<PositionedRecord, 'oddRequest' | 'isDamaged'> & { oddRequest: string; crc: number }

/** In the order of `Row`; the checksum last. */
export const rowColumns = 'offset, received_at, source, key, event_id, odd_request, body, crc'

function toChecksum(record: LogRecord, offset: number): number {
  const { receivedAt, source, key, eventId, oddRequest = '' } = record
  return crc32(record.body, crc32(JSON.stringify([offset, receivedAt, source, key, eventId, oddRequest])))
}

/** Reads the log in order. Throws a `StartError` where the file is damaged. */
export function openRows(database: DatabaseSync, directory: string) {
  const rowsFrom = database.prepare(`
    SELECT offset, received_at AS receivedAt, source, key, event_id AS eventId, odd_request AS oddRequest, body, crc
    FROM records WHERE offset >= ? ORDER BY offset`)
  const next = database.prepare(`
    SELECT max((SELECT next_offset FROM trimmed), coalesce((SELECT max(offset) + 1 FROM records), 0)) AS offset`)

  /** In place of the time of a damaged record, which may be any. */
  let lastReceivedAt = Date.now()

  function toRecord({ oddRequest, crc, ...row }: Row): PositionedRecord {
    const record = oddRequest === '' ? row : { ...row, oddRequest }
    const { offset, body } = row
    if (body instanceof Uint8Array && crc === toChecksum(record, offset)) {
      lastReceivedAt = record.receivedAt
      return record
    }
    // SQLite checks no types when it reads: every value but the offset may be anything.
    const bytes = Buffer.from(body instanceof Uint8Array ? body : String(body))
    const eventId = isEventId(row.eventId) ? row.eventId : toEventId(bytes)
    const known = { eventId, source: row.source, receivedAt: lastReceivedAt }
    return { ...known, offset, key: '', body: bytes, isDamaged: true }
  }

  return {
    endOffset: () => (next.get() as { offset: number }).offset,
    /** From this offset on, each when it is asked for. */
    *read(from: number): Generator<PositionedRecord> {
      let expected = from
      try {
        for (const row of rowsFrom.iterate(from)) {
          const record = toRecord(row as Row)
          // Its offset may be wrong as well, and a wrong one would pass over those behind it.
          if (record.isDamaged && record.offset !== expected)
            throw toDamagedError(`${directory}/log.sqlite`, `record ${expected} is not in its place`)
          expected = record.offset + 1
          yield record
        }
      } catch (error) {
        throw toLogError(directory, error)
      }
    },
  }
}

/** `bytes`: of all records through this one. */
export function prepareInsert(database: DatabaseSync) {
  const statement = database.prepare(
    `INSERT INTO records (bytes_through, ${rowColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return (record: LogRecord, offset: number, bytes: number): void => {
    const { receivedAt, source, key, eventId, oddRequest = '', body } = record
    const crc = toChecksum(record, offset)
    statement.run(bytes, offset, receivedAt, source, key, eventId, oddRequest, body, crc)
  }
}

export function inTransaction(database: DatabaseSync, step: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    step()
    database.exec('COMMIT')
  } catch (error) {
    // Some errors (a full disk among them) have already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
