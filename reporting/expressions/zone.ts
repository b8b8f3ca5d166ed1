/** Calendar days of a zone of the tz database, quickly: by the offsets of each UTC day, asked of Intl once. */
const dayMs = 86_400_000

export type Days = {
  /** Days since 1970 of an instant. */
  of(ms: number): number
  /** The first instant after a day. */
  after(day: number): number
}

/** Each zone takes a megabyte, and readers choose zones in URLs: the last ones asked for are kept. */
const mostZones = 24
const zones = new Map<string, Days>()

export function daysIn(zone: string): Days {
  const days = zones.get(zone) ?? createDays(zone)
  zones.delete(zone)
  zones.set(zone, days)
  for (const oldest of zones.keys()) {
    if (zones.size <= mostZones) break
    zones.delete(oldest)
  }
  return days
}

/** Asks Intl for the offset of an instant from UTC, ms. */
export function createOffset(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    era: 'short',
  })
  return (ms) => {
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    return (
      Date.UTC(part['year']!, part['month']! - 1, part['day'], part['hour'], part['minute'], part['second']) -
      Math.floor(ms / 1_000) * 1_000
    )
  }
}

function createDays(zone: string): Days {
  const askOffset = createOffset(zone)
  /** Offset at the begin of each UTC day since 1970, and whether it changes on that day; NaN = not asked yet. */
  const offsets = new Float64Array(70_001).fill(NaN)
  /** By UTC day on which the clock changes: when. */
  const changes = new Map<number, number>()
  const offsetAt = (utcDay: number): number => {
    const last = offsets[utcDay]!
    return Number.isNaN(last) ? (offsets[utcDay] = askOffset(utcDay * dayMs)) : last
  }
  const findChange = (utcDay: number): number => {
    let [before, after] = [utcDay * dayMs, (utcDay + 1) * dayMs]
    const first = offsetAt(utcDay)
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000
      if (askOffset(middle) === first) before = middle
      else after = middle
    }
    changes.set(utcDay, after)
    return after
  }
  const of = (ms: number): number => {
    const utcDay = ms < 0 ? 0 : Math.min(Math.floor(ms / dayMs), 69_998)
    const offset = offsetAt(utcDay)
    const next = offsetAt(utcDay + 1)
    if (offset === next) return Math.floor((ms + offset) / dayMs)
    return Math.floor((ms + (ms < (changes.get(utcDay) ?? findChange(utcDay)) ? offset : next)) / dayMs)
  }
  const ends = new Float64Array(70_000)
  const after = (day: number): number => {
    if (day < -1 || day >= 69_000) return (day + 1) * dayMs
    const last = ends[day + 1]!
    if (last !== 0) return last
    // No zone is further than 16 hours from UTC.
    let [before, until] = [(day + 1) * dayMs - 16 * 3_600_000, (day + 1) * dayMs + 40 * 3_600_000]
    while (until - before > 1) {
      const middle = Math.floor((before + until) / 2)
      if (of(middle) <= day) before = middle
      else until = middle
    }
    return (ends[day + 1] = until)
  }
  return { of, after }
}
