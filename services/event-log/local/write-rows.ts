/** How rows get into the local log's table, for its writer and for repairs. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { LogRecord } from '../event-log.ts'
import { rowColumns, toChecksum, wrongChecksum } from './row.ts'

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
