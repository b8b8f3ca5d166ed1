/**
 * Reads single values off the wire (METRICS.md, "Reading the wire"): tolerant in form, strict in meaning. A value of
 * another type fails; the caller treats the field as unknown and counts it as drift.
 */
import { z } from 'zod'

/** First instant that is out of range for a time on the wire: 2149-01-01T00:00:00Z, the end of a 16-bit day number. */
const endOfTimeMs = Date.UTC(2149, 0, 1)

/**
 * A longer value cannot be one of this field, and is unknown. Ids go into statements and sort keys, references become
 * rows: without limits one body could keep the store busy for seconds.
 */
export const maxIdLength = 320
export const maxTextLength = 1_000
export const maxReferences = 1_000

const digits = /^\d+$/
const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/

/** Epoch milliseconds of a time on the wire, or `undefined` where it cannot be read or is out of range. */
export function toEpochMs(value: number | string): number | undefined {
  let ms: number
  if (typeof value === 'number') ms = Math.trunc(value)
  else if (digits.test(value)) ms = Number(value)
  else {
    const parts = isoDate.exec(value)
    if (parts === null) return undefined
    const [, year, month, day, hour = '', minute = '', second = '', fraction = '', sign, ...offset] = parts
    const [offsetHours = '', offsetMinutes = ''] = offset
    // `Date.UTC` takes years below 100 for those of the 20th century.
    if (Number(year) < 1969) return undefined
    const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
    // As on 30 February, on a day 0 and in a month 13.
    if (new Date(date).getUTCMonth() !== Number(month) - 1) return undefined
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
    if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined
    const time =
      ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 +
      Number(fraction.padEnd(3, '0').slice(0, 3))
    const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
    ms = date + time - (sign === '-' ? -offsetMs : offsetMs)
  }
  return ms > 0 && ms < endOfTimeMs ? ms : undefined
}

// One step each, not a union piped into a transform: most fields are of these kinds, and each step costs at every
// delivery.

/** The value does not fit: `readTolerantly` leaves it out and names its field. */
function refuse(context: z.core.$RefinementCtx, params = {}): never {
  context.addIssue({ code: 'custom', params })
  return z.NEVER
}

/** A time: epoch ms as a number (fractions are cut) or as text of digits, or ISO 8601. Reads to epoch ms. */
export const wireTime = z.transform((value: unknown, context): number => {
  const ms = typeof value === 'number' || typeof value === 'string' ? toEpochMs(value) : undefined
  return ms ?? refuse(context)
})

/** An identifier: text, or a number as its shortest decimal text. Empty reads as `undefined` (unknown). */
export const wireId = z.transform((value: unknown, context): string | undefined => {
  return (toId(value) ?? refuse(context)) || undefined
})

/** A name, a title, an e-mail. */
export const wireText = z.transform((value: unknown, context): string => {
  return isText(value) ? value : refuse(context)
})

/** How a list refers to a team or a person. */
export type Reference = { id?: string; name?: string | null }

/**
 * A list. It is read in one step and has at most one issue: a body of 1 MiB can hold half a million items that do not fit, and a schema
 * makes an issue with words for each. `readTolerantly` puts `fitting` in place of the list and names what did not fit. A list that is too
 * long does not fit as a whole.
 */
const wireList = <Item>(read: (item: unknown, unfit: Set<string>) => Item[]) =>
  z.transform((value: unknown, context): Item[] => {
    if (!Array.isArray(value) || value.length > maxReferences) return refuse(context)
    const unfit = new Set<string>()
    const fitting = value.flatMap((item: unknown) => read(item, unfit))
    return unfit.size === 0 ? fitting : refuse(context, { fitting, unfit })
  })

export const wireReferences = wireList<Reference | null>((item, unfit) => {
  if (typeof item !== 'object' || Array.isArray(item)) unfit.add('[]')
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return [null]
  const reference: Reference = {}
  const { id, name } = item as { id?: unknown; name?: unknown }
  const read = id == null ? '' : toId(id)
  if (read === undefined) unfit.add('[].id')
  else if (read !== '') reference.id = read
  if (name === null || isText(name)) reference.name = name
  else if (name !== undefined) unfit.add('[].name')
  return [reference]
})

/** An attribute of a person as text; '' = cleared. */
export type Attribute = { apiName: string; value: string }

/** Numbers and booleans are text as JSON writes them. */
export const wireAttributes = wireList<Attribute>((item, unfit) => {
  const { apiName, value } = (item ?? {}) as { apiName?: unknown; value?: unknown }
  const text = typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : (value ?? '')
  if (typeof apiName !== 'string') unfit.add('[].apiName')
  else if (typeof text !== 'string' || text.length > maxIdLength) unfit.add('[].value')
  else return [{ apiName, value: text }]
  return []
})

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTextLength
}

/** As `wireId` reads it, without its messages; empty = sent, but unknown. */
export function toId(value: unknown): string | undefined {
  if (typeof value === 'string') return value.length <= maxIdLength ? value : undefined
  if (typeof value === 'number' && Number.isFinite(value)) return shortestDecimal(value)
  return undefined
}

/** `String(n)` without an exponent: ids beyond 1e21 stay digits, as the sender would write them. */
function shortestDecimal(value: number): string {
  const text = String(value)
  return Math.abs(value) >= 1e21 ? BigInt(value).toString() : text
}
