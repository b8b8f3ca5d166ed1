/** What a local log or a spool holds, while another process may have it open. Takes no lock and moves no position. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../config/start-error.ts'
import type { PositionedRecord } from '../event-log.ts'
import { toLogError } from './errors.ts'
import { readStoredThrough } from './position.ts'
import { openRows } from './row.ts'
import { lookInto, openLocalDatabase } from './table.ts'

export type LocalLogUse = {
  waitingRecords: number
  waitingBytes: number
  oldestReceivedAt: number | undefined
}

export function readLocalLogUse(directory: string): LocalLogUse | undefined {
  if (!existsSync(join(directory, 'log.sqlite'))) return undefined
  return lookInto(directory, (database) => {
    const row = database
      .prepare(
        `SELECT count(*) AS records, coalesce(sum(length(body) + length(key) + length(source)), 0) AS bytes,
           min(received_at) AS oldest
         FROM records WHERE offset >= ?`,
      )
      .get(readStoredThrough(directory)) as { records: number; bytes: number; oldest: number | null }
    return { waitingRecords: row.records, waitingBytes: row.bytes, oldestReceivedAt: row.oldest ?? undefined }
  })
}

/** What tells this log from any other. `idIfNew`: where there is no log yet, one of this id is made. */
export function readLogId(directory: string, idIfNew?: string): string {
  const look = (database: DatabaseSync) =>
    (database.prepare('SELECT log_id FROM trimmed').get() as { log_id: string }).log_id
  return lookInto(directory, look, { id: idIfNew })
}

/** Looked through for one delivery: a longer backlog would hold up the pages that this thread serves. */
const searchedRecords = 20_000

/** A delivery that is in the log and not stored yet. `undefined`: not among the oldest that wait. */
export function findWaiting(
  directory: string,
  eventId: string,
): { receivedAt: number; source: string } | undefined {
  return lookInto(directory, (database) => {
    const stored = readStoredThrough(directory)
    const row = database
      .prepare(
        'SELECT received_at, source FROM records WHERE offset >= ? AND offset < ? AND event_id = ? LIMIT 1',
      )
      .get(stored, stored + searchedRecords, eventId) as { received_at: number; source: string } | undefined
    return row && { receivedAt: row.received_at, source: row.source }
  })
}

/** Everything in the log now: from the oldest record that is kept to the last one that was there when this began. */
export function* scanLocalLog(directory: string): Generator<PositionedRecord[]> {
  const database = openLocalDatabase(directory)
  try {
    database.exec('PRAGMA query_only = ON')
    const rows = openRows(database, directory)
    const end = rows.endOffset()
    for (let from = 0; from < end;) {
      const records = rows.read(from, 2_000).filter(({ offset }) => offset < end)
      const last = records.at(-1)
      if (last === undefined) return
      yield records
      from = last.offset + 1
    }
  } finally {
    database.close()
  }
}

export type LogCheck = {
  /** Records that are as they were written. */
  readable: number
  /** Records that are not: each becomes a failed event. */
  damaged: number
  /** Errors that SQLite finds in its own structures, or why the file cannot be read. */
  problems: string[]
}

const maxProblems = 20

/** Reads all of a log, which may be in use. `undefined`: there is none. */
export function checkLocalLog(directory: string): LogCheck | undefined {
  if (!existsSync(join(directory, 'log.sqlite'))) return undefined
  const check: LogCheck = { readable: 0, damaged: 0, problems: [] }
  try {
    for (const records of scanLocalLog(directory)) {
      const damaged = records.filter(({ isDamaged }) => isDamaged).length
      check.damaged += damaged
      check.readable += records.length - damaged
    }
    check.problems = lookInto(directory, (database) => {
      const rows = database.prepare(`PRAGMA quick_check(${maxProblems})`).all() as { quick_check: string }[]
      return rows.map((row) => row.quick_check).filter((words) => words !== 'ok')
    })
  } catch (error) {
    const known = toLogError(directory, error)
    if (!(known instanceof StartError)) throw error
    check.problems.push(known.message)
  }
  return check
}
