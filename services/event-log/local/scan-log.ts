/** All that the local log holds at the moment, beside whoever reads and writes it: it takes no lock and moves no position. */
import type { LogSlice, PositionedRecord } from '../event-log.ts'
import { openLocalDatabase } from './table.ts'

type Row = { offset: number; received_at: number; source: string; key: string; event_id: string; body: Uint8Array }

/** From the oldest record that is kept to the last one that was there when this began. */
export async function* scanLocalLog(directory: string, recordsPerSlice = 2_000): AsyncGenerator<LogSlice> {
  const database = openLocalDatabase(directory)
  try {
    database.exec('PRAGMA query_only = ON')
    const { last } = database.prepare('SELECT coalesce(max(offset), -1) AS last FROM records').get() as { last: number }
    const read = database.prepare('SELECT * FROM records WHERE offset >= ? AND offset <= ? ORDER BY offset LIMIT ?')
    for (let from = 0; from <= last;) {
      const rows = read.all(from, last, recordsPerSlice) as Row[]
      const end = rows.at(-1)
      if (end === undefined) return
      yield { partition: 0, records: rows.map(toRecord) }
      from = end.offset + 1
    }
  } finally {
    database.close()
  }
}

function toRecord({ offset, key, event_id, source, received_at, body }: Row): PositionedRecord {
  return { offset, key, eventId: event_id, source, receivedAt: received_at, body }
}
