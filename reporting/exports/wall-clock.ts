/**
 * Converts instants to local time in a zone, for millions of cells: the offset is looked up once per quarter of an hour.
 */
import { createOffset } from '../expressions/zone.ts'

const quarterMs = 900_000
const maxCached = 50_000

/** The result holds the local year to millisecond in its UTC fields. */
export function createWallClock(timeZone: string): (epochMs: number) => Date {
  const askOffset = createOffset(timeZone)
  const offsets = new Map<number, number>()
  return (epochMs) => {
    const quarter = Math.floor(epochMs / quarterMs)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      offset = askOffset(quarter * quarterMs)
      if (offsets.size >= maxCached) offsets.clear()
      offsets.set(quarter, offset)
    }
    return new Date(epochMs + offset)
  }
}
