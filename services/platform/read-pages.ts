/**
 * Reads lists of the platform: page by page, and whole where a platform takes no query. That is remembered for the path,
 * in memory and for a day: asking again costs one refused call, and a platform may learn to page.
 */
import type { PathName } from '../config/values/platform-paths.ts'
import { type Clock, createRemembered } from './clock.ts'
import { toItemId } from './each-page.ts'
import type { Page, PageOptions } from './platform-client.ts'
import { PlatformError } from './platform-error.ts'
import { type List, type ReadItems, toList } from './read-answer.ts'

const firstPages = { users: 0, guides: 1, guide_assignments: 1, changed_guide_assignments: 1 } as const

export type ListName = keyof typeof firstPages

type PlatformList<Item> = {
  endpoint: ListName
  /** In answers and messages. */
  name: string
  id?: string
  /** Which items: sent always. */
  range?: Record<string, string>
  /** Not sent where the platform takes no query. */
  query?: Record<string, string>
  readAll: (raw: unknown[]) => ReadItems<Item>
}

export type ReadPage = <Item>(list: PlatformList<Item>, options: PageOptions) => Promise<Page<Item>>

type Get = (
  endpoint: PathName,
  where: { id?: string; query: Record<string, string> },
  options: PageOptions,
) => Promise<unknown>

/** The maximum of live platforms. */
const usersPerPage = 100
export const itemsPerPage = 200

export function createPageReader(get: Get, clock: Clock): ReadPage {
  const numbers = Object.fromEntries(
    Object.entries(firstPages).map(([name, first]) => [name, createPageNumbers(first)]),
  ) as Record<ListName, PageNumbers>
  const unpaged = createRemembered<ListName>(clock)

  async function ask(list: PlatformList<unknown>, query: Record<string, string>, options: PageOptions): Promise<List> {
    const where = { ...(list.id !== undefined && { id: list.id }), query: { ...list.range, ...query } }
    return toList(await get(list.endpoint, where, options), list.name)
  }

  function askPage(list: PlatformList<unknown>, page: number, size: number, options: PageOptions): Promise<List> {
    const sizeName = list.endpoint === 'users' ? 'limit' : 'per_page'
    return numbers[list.endpoint].read(page, (number) =>
      ask(list, { ...list.query, [sizeName]: String(size), page: String(number) }, options),
    )
  }

  async function askWhole(list: PlatformList<unknown>, options: PageOptions): Promise<List> {
    return { ...(await ask(list, {}, options)), isWhole: true }
  }

  /** A refused first page may be one without the query, and a later one may just be too late. */
  async function askPageOrWhole(
    list: PlatformList<unknown>,
    page: number,
    size: number,
    options: PageOptions,
  ): Promise<List> {
    if (unpaged.has(list.endpoint)) return askWhole(list, options)
    try {
      return await askPage(list, page, size, options)
    } catch (error) {
      if (!isBadRequest(error) || (page > 0 && (await hasFirstPage(list, size, options)))) throw error
      const whole = await askWhole(list, options)
      if (whole.hasMore === true) throw error
      unpaged.add(list.endpoint)
      return whole
    }
  }

  async function hasFirstPage(list: PlatformList<unknown>, size: number, options: PageOptions): Promise<boolean> {
    try {
      await askPage(list, 0, size, options)
      return true
    } catch (error) {
      if (isBadRequest(error)) return false
      throw error
    }
  }

  /** For a list whose full first page comes twice: it may happen to have that size, or be cut to it. */
  async function askBeyondSize(list: PlatformList<unknown>, size: number, options: PageOptions): Promise<List> {
    const smaller = await askPage(list, 0, size - 1, options)
    if (smaller.raw.length >= size) return { ...smaller, isWhole: true }
    const whole = await askWhole(list, options)
    if (whole.raw.length > size && whole.hasMore !== true) return whole
    const message = `The platform ignores the page of its list of ${list.name} and gives at most ${size} of them: the rest cannot be read.`
    throw new PlatformError('ENDLESS', message)
  }

  return async function readPage(list, options) {
    const size = options.size ?? (list.endpoint === 'users' ? usersPerPage : itemsPerPage)
    const answer =
      options.page === 'all'
        ? await askBeyondSize(list, size, options)
        : await askPageOrWhole(list, options.page, size, options)
    return toPage(answer, list.readAll(answer.raw), size, clock)
  }
}

/** Bare lists do not say whether there is more; they end with an empty page, or are whole. */
function toPage<Item>(
  { raw, hasMore, isWhole = false }: List,
  { items, skipped }: ReadItems<Item>,
  size: number,
  clock: Clock,
): Page<Item> {
  return {
    items,
    skipped,
    hasMore: isWhole ? false : (hasMore ?? raw.length > 0),
    isBare: hasMore === undefined,
    isFull: raw.length === size,
    answeredAtMs: clock.now(),
  }
}

function isBadRequest(error: unknown): boolean {
  return error instanceof PlatformError && error.status === 400
}

// The platform's number of a list's first page: 0 or 1. Documented for users (0, bare lists) and for envelopes (1); an
// old account's bare list of guides may be either, and a wrong guess would silently lose its first page.

type PageNumbers = ReturnType<typeof createPageNumbers>

/** `expected`: the documented number of the first page. */
function createPageNumbers(expected: 0 | 1) {
  let first: number = expected
  let isKnown = expected === 0

  return {
    /** Reads our page n, 0 the first. `read` requests the platform's page of that number. */
    async read(page: number, read: (number: number) => Promise<List>): Promise<List> {
      const list = await read(page + first)
      if (list.page !== undefined) {
        isKnown = true
        // When asked for page 0, a platform that starts with 1 returns that one and says so.
        if (page === 0 && list.page === 1) first = 1
        return list
      }
      if (isKnown) return list
      const zero = await readPageZero(read)
      const one = page === 0 || zero === undefined ? list : await read(1)
      isKnown = true
      if (zero === undefined || zero.raw.length === 0 || isSamePage(zero, one)) return list
      first = 0
      return page === 0 ? zero : read(page)
    },
  }

  /** `undefined`: the platform has no such page. */
  async function readPageZero(read: (number: number) => Promise<List>): Promise<List | undefined> {
    try {
      return await read(0)
    } catch (error) {
      if (error instanceof PlatformError && (error.code === 'REFUSED' || error.code === 'NOT_FOUND')) return undefined
      throw error
    }
  }
}

/** Most of it is in both: something may have changed in between. */
function isSamePage(a: List, b: List): boolean {
  const ids = new Set(b.raw.map(toItemId))
  return 2 * a.raw.filter((item) => ids.has(toItemId(item))).length > a.raw.length
}
