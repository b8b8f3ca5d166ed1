/**
 * The ways in which platforms name and page their answers: snake_case in an envelope (since November 2025), and a bare
 * camelCase array (older accounts). Users are a bare camelCase array with zero-based pages in both. `specification` is a
 * platform that offers the two endpoints of the specification only.
 */
export type Dialect = 'paginated' | 'bare' | 'specification'

type Json = Record<string, unknown>

/** Top-level names only become snake_case; times become ISO 8601, as those endpoints write them. */
export function toSnakeCase(record: Json): Json {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      /(At|Date)$/.test(key) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  )
}

export function spell(record: Json, dialect: Dialect): Json {
  return dialect === 'paginated' ? toSnakeCase(record) : record
}

export type PageRequest = { page: number; size: number }

/** `undefined` where the query does not hold a valid page. */
export function parsePage(
  page: string | undefined,
  size: string | undefined,
  defaults: { first: number; size: number; maxSize: number },
): PageRequest | undefined {
  const request = { page: Number(page ?? defaults.first), size: Number(size ?? defaults.size) }
  if (!Number.isInteger(request.page) || request.page < defaults.first) return undefined
  if (!Number.isInteger(request.size) || request.size < 1) return undefined
  return { page: request.page, size: Math.min(request.size, defaults.maxSize) }
}

/** `name` is the key under `data`; only the records of the requested page are converted. */
export function toListAnswer(
  name: string,
  all: readonly Json[],
  request: PageRequest,
  url: string,
  dialect: Dialect,
): unknown {
  const start = (request.page - 1) * request.size
  const records = all.slice(start, start + request.size).map((record) => spell(record, dialect))
  if (dialect === 'bare') return records
  return {
    page: request.page,
    per_page: request.size,
    has_more: start + request.size < all.length,
    item_count: records.length,
    url,
    data: { [name]: records },
  }
}
