/** Reads the log's rows in order, around those that a damaged file does not give any more. */
import type { DatabaseSync } from 'node:sqlite'
import type { PositionedRecord } from '../event-log.ts'
import { ignoreDamage, toLogDamagedError } from './damage/error.ts'
import { readKeptOffsets } from './position.ts'
import { isExact, type Row, rowColumns, toRecord } from './row.ts'

export type Slice = {
  records: PositionedRecord[]
  /** Offsets before `next` whose rows cannot be read. */
  unreadable: number[]
  next: number
  isEnd: boolean
}

export function openRows(database: DatabaseSync, directory: string) {
  const many = database.prepare(`SELECT ${rowColumns} FROM records WHERE offset >= ? ORDER BY offset LIMIT ?`)
  const one = database.prepare(`SELECT ${rowColumns} FROM records WHERE offset = ?`)
  const next = database.prepare(`
    SELECT max((SELECT next_offset FROM trimmed), coalesce((SELECT max(offset) + 1 FROM records), 0)) AS offset`)
  const endOffset = () => (next.get() as { offset: number }).offset
  /** The time of the record before stands in for one that is damaged. */
  let lastReceivedAt = Date.now()

  function add(slice: Slice, row: Row, offset: number): void {
    const record = toRecord(row)
    if (record?.offset !== offset) return void slice.unreadable.push(offset)
    if (record.receivedAt === 0) record.receivedAt = lastReceivedAt
    lastReceivedAt = record.receivedAt
    slice.records.push(record)
  }

  /** One by one, because the damage is of a page, and the rows of other pages can be found by their offsets. */
  function readAround(from: number, limit: number): Slice {
    const end = ignoreDamage(endOffset)
    const first = ignoreDamage(() => (many.get(from, 1) as Row | undefined)?.offset as number | undefined)
    const start = Math.max(from, first ?? from)
    const stop = Math.min(start + limit, end ?? Infinity)
    const slice: Slice = { records: [], unreadable: [], next: stop, isEnd: stop === end }
    for (let offset = start; offset < stop; offset++) {
      const row = ignoreDamage(() => (one.get(offset) as Row | undefined) ?? 'none')
      if (row === undefined) slice.unreadable.push(offset)
      else if (row !== 'none') add(slice, row, offset)
    }
    // Without an end that can be read, what cannot be read any more looks endless.
    if (end === undefined && slice.records.length === 0) {
      throw toLogDamagedError(directory, 'its last records cannot be read')
    }
    return slice
  }

  return {
    endOffset,
    read: function read(from: number, limit: number): Slice {
      const rows = ignoreDamage(() => many.all(from, limit) as Row[])
      if (rows === undefined) return readAround(from, limit)
      const isEnd = rows.length < limit
      const ordered = inOrder(rows, from, isEnd ? (readKeptOffsets(directory)?.next ?? Infinity) : undefined)
      // Only more of them tell whether these can be right.
      if (ordered.length === 0 && !isEnd) return read(from, 2 * limit)
      const slice: Slice = { records: [], unreadable: [], next: from, isEnd }
      for (const row of ordered) {
        const offset = Number(row.offset)
        add(slice, row, offset)
        slice.next = offset + 1
      }
      return slice
    },
  }
}

/**
 * A damaged page may hold rows under wrong offsets. Reading goes on from the last offset, so a wrong one would leave out others.
 * The rows whose offsets can be right, ascending from `from`; where a checksum tells which offset is meant, with that one.
 * `end`: the offset behind all of them, where they are the last ones; otherwise a row at their end may be left for the next time.
 */
function inOrder(rows: readonly Row[], from: number, end?: number): readonly Row[] {
  if (rows.every(({ offset }, index) => offset === from + index)) return rows
  const inPlace: Row[] = []
  let expected = from
  for (const [index, row] of rows.entries()) {
    const offset = findOffset(row, expected) ?? findPlausible(row, expected, rows.slice(index + 1), end)
    if (offset === undefined) continue
    inPlace.push({ ...row, offset })
    expected = offset + 1
  }
  return inPlace
}

function findOffset(row: Row, expected: number): number | undefined {
  for (const offset of [expected, row.offset]) {
    const record = toRecord({ ...row, offset })
    if (record !== undefined && record.offset >= expected && isExact(row, record)) return record.offset
  }
  return undefined
}

/** The record of a row that is not as it was written. */
function findPlausible({ offset, crc }: Row, expected: number, behind: readonly Row[], end = -1): number | undefined {
  if (typeof offset !== 'number' || offset < expected) return undefined
  if (offset === expected || crc === null) return offset
  const next = behind.find((row) => findOffset(row, expected) !== undefined)
  return offset < (next === undefined ? end : Number(next.offset)) ? offset : undefined
}
