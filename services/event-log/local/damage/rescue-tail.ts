/**
 * SQLite reads its write-ahead file up to the first frame that is wrong, and forgets the rest. Records in the rest may have been
 * acknowledged, so these rows are read before SQLite opens the log, and put into it again. One that was never acknowledged does
 * no harm: it was received, and a repeat of it is known by its id.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { PositionedRecord } from '../../event-log.ts'
import { readKeptOffsets } from '../position.ts'
import { inTransaction, prepareInsert, sizeOf, toRecord } from '../row.ts'
import { ignoreDamage } from './error.ts'
import { closeGaps } from './gaps.ts'
import { openPages } from './pages.ts'

export type Tail = {
  records: PositionedRecord[]
  /** The offset after the last one that was acknowledged, where that is known. */
  acknowledgedTo: number | undefined
}

/** The rows of the write-ahead file. One that is not whole counts only where it is known that it was acknowledged. */
export function readTail(directory: string): Tail {
  const acknowledgedTo = readKeptOffsets(directory)?.next
  const stats = statSync(join(directory, 'log.sqlite-wal'), { throwIfNoEntry: false })
  if (stats === undefined || stats.size === 0) return { records: [], acknowledgedTo }
  const pages = openPages(directory)
  try {
    const records = new Map<number, PositionedRecord>()
    for (const { row } of pages.rows({ inMain: false })) {
      const record = row.crc === null ? undefined : toRecord(row)
      if (record === undefined) continue
      const { offset, isDamaged = false } = record
      const before = records.get(offset)
      const isWholeBefore = before !== undefined && before.isDamaged !== true
      if (!isDamaged || (offset < (acknowledgedTo ?? 0) && !isWholeBefore)) records.set(offset, record)
    }
    return { records: [...records.values()].toSorted((a, b) => a.offset - b.offset), acknowledgedTo }
  } finally {
    pages.close()
  }
}

/** Appends those that SQLite does not know. */
export function rescueTail(database: DatabaseSync, { records: tail, acknowledgedTo }: Tail): void {
  const last = tail.at(-1)
  const next = last && ignoreDamage(() => readNext(database).offset)
  // Where its end cannot be read that is for a repair.
  if (last === undefined || next === undefined || last.offset < next) return
  inTransaction(database, () => {
    // Again, now that no other process writes: rows that a writer was working on are in the table.
    const { offset, bytes } = readNext(database)
    const lost = tail.filter((record) => record.offset >= offset)
    const insert = prepareInsert(database)
    let through = bytes
    for (const record of closeGaps(lost, offset, acknowledgedTo)) {
      through += sizeOf(record)
      insert(record, record.offset, through)
    }
  })
}

function readNext(database: DatabaseSync): { offset: number; bytes: number } {
  const base = database.prepare('SELECT next_offset AS offset, bytes_through AS bytes FROM trimmed').get()
  const last = database
    .prepare('SELECT offset + 1 AS offset, bytes_through AS bytes FROM records ORDER BY offset DESC LIMIT 1')
    .get()
  const [first, second] = [base, last] as ({ offset: number; bytes: number } | undefined)[]
  return {
    offset: Math.max(first?.offset ?? 0, second?.offset ?? 0),
    bytes: second?.bytes ?? first?.bytes ?? 0,
  }
}
