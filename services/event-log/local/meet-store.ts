/** Compares a log and the store that has read it, before either goes on. */
import { ignoreDamage } from './damage/error.ts'
import {
  readKeptOffsets,
  readOffsetFloor,
  readStoredThrough,
  writeOffsetFloor,
  writeStoredThrough,
} from './position.ts'
import { openRows } from './rows.ts'
import { lookInto } from './table.ts'

/**
 * Call it before the writer opens. A log that ends before the store's position is an older copy, or has lost its end together with
 * all that says so: its offsets go on from the position, where the store skips none, and what it still has is read again, because
 * it may be another log. Returns the offset at which it ended; `undefined` where all is well.
 */
export function meetStore(directory: string, position: number): number | undefined {
  if (position === 0) return undefined
  const end = lookInto(directory, (database) => ignoreDamage(openRows(database, directory).endOffset))
  // Where damage hides the end, the writer says so, and the reader goes on from the position.
  if (end === undefined) return undefined
  if (position <= Math.max(end, readKeptOffsets(directory)?.next ?? 0, readOffsetFloor(directory))) return undefined
  readAgainBelow(directory, position)
  return end
}

/** Records below `floor` are read again, and nothing new gets an offset there. */
export function readAgainBelow(directory: string, floor: number): void {
  // First: with the floor alone, a crash between the two would leave out the records that are to be read again.
  writeStoredThrough(directory, 0)
  writeOffsetFloor(directory, floor)
}

/** Where to begin. Below the floor the store's position is that of another log, so the reader's own counts until it is past it. */
export function toBegin(directory: string, position: number): number {
  const through = readStoredThrough(directory)
  return through < readOffsetFloor(directory) ? Math.min(position, through) : position
}
