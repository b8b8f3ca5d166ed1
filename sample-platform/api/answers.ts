/** How answers are written: the dialects of platforms, the forms of values, pages, and errors. */
import type { Context } from 'hono'

/**
 * `paginated`: snake_case in an envelope (since November 2025). `bare`: a camelCase array (older accounts). Users are a
 * bare camelCase array with zero-based pages in both. `specification`: the two endpoints of the specification only.
 */
export type Dialect = 'paginated' | 'bare' | 'specification'

/** The forms of values on the wire of different platforms. They mean the same. */
export type WireOptions = {
  /** Times in camelCase answers: whole milliseconds (default), with fractions, or ISO 8601. */
  timestamps?: 'whole' | 'fractional' | 'iso'
  /** User ids: JSON integers as on live platforms (default), or strings as the specification says. */
  ids?: 'integer' | 'string'
}

export type Json = Record<string, unknown>

const mostPerPage = 200

export function createAnswers(dialect: Dialect, { timestamps = 'whole', ids = 'integer' }: WireOptions) {
  const write = (name: string, value: unknown) => {
    if (typeof value !== 'number') return value
    // Only users' ids are numbers.
    if (ids === 'string' && /^(id|userId|user_id|assignerId|assigner_id)$/.test(name)) return String(value)
    if (timestamps === 'whole' || !/(At|Date|timestamp)$/.test(name)) return value
    // A fraction that a double holds exactly enough to be cut off again.
    return timestamps === 'iso' ? new Date(value).toISOString() : value + 0.25 + (value % 3) / 8
  }
  const json = (context: Context, value: unknown, status: 200 | 201 = 200) =>
    context.json(JSON.parse(JSON.stringify(value, write)) as object, status)
  /** A record, and the parts of one. */
  const spell = (record: Json) => (dialect === 'paginated' ? toSnakeCase(record) : record)

  return {
    json,
    spell,
    /** One page of a list; `name` is the key under `data`. */
    list(context: Context, name: string, all: readonly Json[]): Response {
      const { page = '1', per_page = String(mostPerPage) } = context.req.query()
      const request = parsePage(page, per_page, 1, mostPerPage)
      if (request === undefined) return badRequest(context)
      const { start, size } = request
      const records = all.slice(start, start + size).map(spell)
      if (dialect === 'bare') return json(context, records)
      return json(context, {
        page: Number(page),
        per_page: size,
        has_more: start + size < all.length,
        item_count: records.length,
        url: context.req.url,
        data: { [name]: records },
      })
    },
  }
}

/** Times become ISO 8601, as those endpoints write them; so do the parts of a record. */
function toSnakeCase(record: Json): Json {
  const toValue = (name: string, value: unknown) => {
    if (typeof value === 'number' && /(At|Date)$/.test(name)) return new Date(value).toISOString()
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isPart ? toSnakeCase(value as Json) : value
  }
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toValue(name, value),
    ]),
  )
}

/** `undefined` if they are no valid page. */
export function parsePage(page: string, size: string, first: number, most: number) {
  const [number, count] = [Number(page), Number(size)]
  if (!Number.isInteger(number) || number < first || !Number.isInteger(count) || count < 1) return undefined
  return { start: (number - first) * Math.min(count, most), size: Math.min(count, most) }
}

export function failure(
  context: Context,
  status: 400 | 403 | 404,
  type: 'forbidden' | 'not_found' | 'invalid',
  message: string,
) {
  return context.json({ type, message }, status)
}

/** Live platforms often say no more than this. */
export const badRequest = (context: Context) => context.json({}, 400)

/** The object in the body; `undefined` if there is none. */
export async function readObject(context: Context): Promise<Json | undefined> {
  const body: unknown = await context.req.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Json) : undefined
}
