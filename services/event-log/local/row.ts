/** A row of the local log's table, and whether it holds what was written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { toDamagedError } from '../../config/start-error.ts'
import type { LogRecord, PositionedRecord } from '../event-log.ts'
import { toLogError } from './errors.ts'

/** The bytes of a record on disk beside its body, key and source; measured, and rounded up. */
const recordOverheadBytes = 80

export function sizeOf(record: { body: Uint8Array; key: string; source: string }): number {
  return record.body.byteLength + record.key.length + record.source.length + recordOverheadBytes
}

/** SQLite checks no types when it reads: in a damaged file every value but the offset may be anything. */
type Row = { offset: number } & Record<
  'received_at' | 'source' | 'key' | 'event_id' | 'odd_request' | 'body' | 'crc',
  unknown
>

export const rowColumns = 'offset, received_at, source, key, event_id, odd_request, body, crc'

/** SQLite keeps no checksum of its pages, so every row has its own. */
function toChecksum(record: LogRecord, offset: number): number {
  const { receivedAt, source, key, eventId, oddRequest = '' } = record
  return crc32(record.body, crc32(JSON.stringify([offset, receivedAt, source, key, eventId, oddRequest])))
}

function toRecord({
  offset,
  received_at,
  source,
  key,
  event_id,
  odd_request,
  body,
  crc,
}: Row): PositionedRecord {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(String(body))
  const isId = typeof event_id === 'string' && /^[0-9a-f]{32}$/.test(event_id)
  const record = {
    offset,
    key: String(key),
    eventId: isId ? event_id : toEventId(bytes),
    source: String(source),
    receivedAt: Number(received_at),
    body: bytes,
    ...(odd_request !== '' && { oddRequest: String(odd_request) }),
  }
  return crc === toChecksum(record, offset) ? record : { ...record, isDamaged: true }
}

/** Reads the log in order. Throws a `StartError` where the file is damaged so that reading on could leave records out. */
export function openRows(database: DatabaseSync, directory: string) {
  const rowsFrom = database.prepare(
    `SELECT ${rowColumns} FROM records WHERE offset >= ? ORDER BY offset LIMIT ?`,
  )
  const next = database.prepare(`
    SELECT max((SELECT next_offset FROM trimmed), coalesce((SELECT max(offset) + 1 FROM records), 0)) AS offset`)
  /** In place of the time of a damaged record, which may be any. */
  let lastReceivedAt = Date.now()

  function attempt<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      throw toLogError(directory, error)
    }
  }

  return {
    endOffset: () => attempt(() => (next.get() as { offset: number }).offset),
    read(from: number, limit: number): PositionedRecord[] {
      let expected = from
      return attempt(() => rowsFrom.all(from, limit) as Row[]).map((row) => {
        const record = toRecord(row)
        if (!record.isDamaged) lastReceivedAt = record.receivedAt
        else if (row.offset === expected) record.receivedAt = lastReceivedAt
        // Its offset may be wrong as well, and a wrong one would pass over those behind it.
        else throw toDamagedError(`${directory}/log.sqlite`, `record ${expected} is not in its place`)
        expected = row.offset + 1
        return record
      })
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
    statement.run(
      bytes,
      offset,
      receivedAt,
      source,
      key,
      eventId,
      oddRequest,
      body,
      toChecksum(record, offset),
    )
  }
}

const transactionStatements = new WeakMap<
  DatabaseSync,
  Record<'begin' | 'commit' | 'rollback', StatementSync>
>()

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
