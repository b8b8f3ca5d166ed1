/** Offsets rise by one from record to record, so one that is not there was lost, whatever the file looks like. */
import { readOffsetFloor } from '../position.ts'
import type { Slice } from '../rows.ts'

export type Gap = { from: number; through: number }

export type GapFinder = ReturnType<typeof createGapFinder>

/** `begin`: records before it may be gone rightly, because they were stored. `undefined`: those before the first record. */
export function createGapFinder(directory: string, begin: number | undefined) {
  let first = begin
  return {
    /** Offsets that are missing from `from` to the end of the slice; of the last slice to `end`, the next offset of the log. */
    find({ records, unreadable, next, isEnd }: Slice, from: number, end = next): Gap[] {
      const stop = isEnd ? Math.max(next, end) : next
      if (records.length === stop - from) return []
      first ??= records[0]?.offset
      if (first === undefined) return []
      const there = [...records.map(({ offset }) => offset), ...unreadable].toSorted((a, b) => a - b)
      const floor = readOffsetFloor(directory)
      const gaps: Gap[] = []
      let expected = Math.max(from, first)
      for (const offset of [...there, stop]) {
        // Offsets below the floor were given by another copy of this log.
        if (offset > expected && offset !== floor) gaps.push({ from: expected, through: offset - 1 })
        expected = Math.max(expected, offset + 1)
      }
      return gaps
    },
  }
}

/**
 * Rows of ascending offsets from `next`. An offset from `end` on was never acknowledged: one without a row was never written, and
 * must not look like a loss, so those behind it move up.
 */
export function closeGaps<Row extends { offset: number }>(rows: readonly Row[], next: number, end = Infinity): Row[] {
  let expected = next
  return rows.map((row) => {
    const offset = Math.min(row.offset, Math.max(expected, end))
    expected = offset + 1
    return { ...row, offset }
  })
}
