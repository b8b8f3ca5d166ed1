/** First instant that is too late to be known. */
const tooLate = Date.UTC(2149, 0, 1)

const isoText =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?)?$/

/** A time on the wire as epoch milliseconds, or `undefined` where it is unknown. */
export function readInstant(value: unknown): number | undefined {
  const milliseconds = toMilliseconds(value)
  if (milliseconds === undefined || !Number.isFinite(milliseconds)) return undefined
  if (milliseconds <= 0 || milliseconds >= tooLate) return undefined
  return milliseconds
}

function toMilliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return value < 0 ? undefined : Math.floor(value)
  if (typeof value !== 'string') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  return isoToMilliseconds(value)
}

function isoToMilliseconds(text: string): number | undefined {
  const match = isoText.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)]
  // Long before the epoch, and Date.UTC would read the years 0 to 99 as 1900 to 1999.
  if (year < 1969) return undefined
  const midnight = new Date(Date.UTC(year, month - 1, day))
  const isCalendarDate =
    midnight.getUTCFullYear() === year && midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day
  if (!isCalendarDate || hour > 23 || minute > 59 || second > 59) return undefined
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offsetHours = Number(match[10] ?? 0)
  const offsetMinutes = Number(match[11] ?? 0)
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const offset = (match[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + fraction - offset
}
