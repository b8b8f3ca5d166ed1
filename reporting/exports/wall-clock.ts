/**
 * Converts instants to local time in a zone, for millions of cells: the offset is looked up once per quarter of an hour.
 */
const quarterMs = 900_000
const maxCached = 50_000

/** The result holds the local year to millisecond in its UTC fields. */
export function createWallClock(timeZone: string): (epochMs: number) => Date {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsets = new Map<number, number>()

  function toOffset(quarter: number): number {
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      const parts = Object.fromEntries(
        format.formatToParts(quarter * quarterMs).map(({ type, value }) => [type, Number(value)]),
      )
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * quarterMs
      if (offsets.size >= maxCached) offsets.clear()
      offsets.set(quarter, offset)
    }
    return offset
  }
  return (epochMs) => new Date(epochMs + toOffset(Math.floor(epochMs / quarterMs)))
}
