/** A damaged page may hold rows under wrong offsets. Reading goes on from the last offset, so a wrong one would leave out others. */
import { isExact, toRecord, type Row } from '../row.ts'

/**
 * The rows whose offsets can be right, ascending from `from`; where a checksum tells which offset is meant, with that one.
 * `end`: the offset behind all of them, where they are the last ones; otherwise a row at their end may be left for the next time.
 */
export function inOrder(rows: readonly Row[], from: number, end?: number): readonly Row[] {
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
