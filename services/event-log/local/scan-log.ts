/** Everything in the local log now, beside its reader and writer: takes no lock and moves no position. */
import type { LogSlice } from '../event-log.ts'
import { openRows } from './rows.ts'
import { openLocalDatabase } from './table.ts'

/** From the oldest record that is kept to the last one that was there when this began. Passes over what cannot be read. */
export async function* scanLocalLog(directory: string, recordsPerSlice = 2_000): AsyncGenerator<LogSlice> {
  const database = openLocalDatabase(directory)
  try {
    database.exec('PRAGMA query_only = ON')
    const rows = openRows(database, directory)
    const end = rows.endOffset()
    for (let from = 0; from < end;) {
      const slice = rows.read(from, recordsPerSlice)
      const records = slice.records.filter(({ offset }) => offset < end)
      if (records.length > 0) yield { partition: 0, records }
      if (slice.isEnd) return
      from = slice.next
    }
  } finally {
    database.close()
  }
}
