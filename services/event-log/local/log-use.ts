/** What a local log or a spool holds, while another process may have it open. Takes no lock and moves no position. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { readStoredThrough } from './position.ts'
import { lookInto } from './table.ts'

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
  return lookInto(directory, look, idIfNew)
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
