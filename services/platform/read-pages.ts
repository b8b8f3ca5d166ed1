/** Reads lists of the platform: page by page, or whole if the platform takes no query. */
import type { PathName } from '../config/values/platform-paths.ts'
import { type Clock, createRemembered } from './clock.ts'
import { toItemId } from './each-page.ts'
import type { Page, PageOptions } from './platform-client.ts'
import { failsWith, PlatformError } from './platform-error.ts'
import { type List, type ReadItems, toList } from './read-answer.ts'

/** The documented number of the first page. A bare list of an old account may begin with the other one. */
const firstPages = { users: 0, guides: 1, guide_assignments: 1, changed_guide_assignments: 1 } as const

export type ListName = keyof typeof firstPages

type PlatformList<Item> = {
  endpoint: ListName
  /** In answers and messages. */
  name: string
  id?: string
  /** Which items: always sent. */
  range?: Record<string, string>
  /** Not sent if the platform takes no query. */
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

const isBadRequest = (error: unknown) => error instanceof PlatformError && error.status === 400

export function createPageReader(get: Get, clock: Clock): ReadPage {
  const firsts = new Map<ListName, number>()
  /** For a day: asking again costs one refused call, and a platform may learn to page. */
  const unpaged = createRemembered<ListName>(clock)

  async function ask(
    list: PlatformList<unknown>,
    query: Record<string, string>,
    options: PageOptions,
  ): Promise<List> {
    const where = { ...(list.id !== undefined && { id: list.id }), query: { ...list.range, ...query } }
    return toList(await get(list.endpoint, where, options), list.name)
  }

  async function askWhole(list: PlatformList<unknown>, options: PageOptions): Promise<List> {
    return { ...(await ask(list, {}, options)), isWhole: true }
  }

  /** Our page n; 0 is the first. A wrong guess of the platform's number would lose a page without a word. */
  async function askPage(
    list: PlatformList<unknown>,
    page: number,
    size: number,
    options: PageOptions,
  ): Promise<List> {
    const { endpoint } = list
    const sizeName = endpoint === 'users' ? 'limit' : 'per_page'
    const read = (number: number) =>
      ask(list, { ...list.query, [sizeName]: String(size), page: String(number) }, options)
    const documented = firstPages[endpoint]
    const first = firsts.get(endpoint) ?? documented
    const answer = await read(page + first)
    // Asked for page 0, a platform that begins with 1 returns that one and says so.
    if (answer.page !== undefined && page === 0)
      firsts.set(endpoint, Math.max(first, Math.min(1, answer.page)))
    if (answer.page !== undefined || documented === 0 || firsts.has(endpoint)) return answer
    const zero = await read(0).catch(toNoPage)
    const one = page === 0 || zero === undefined ? answer : await read(1)
    const isZeroFirst = zero !== undefined && zero.raw.length > 0 && !isSamePage(zero, one)
    firsts.set(endpoint, isZeroFirst ? 0 : 1)
    if (!isZeroFirst) return answer
    return page === 0 ? zero : read(page)
  }

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
      if (!isBadRequest(error)) throw error
      // A first page is refused for its query. A later one may be past the end.
      if (page > 0 && !(await failsWith(isBadRequest, () => askPage(list, 0, size, options)))) throw error
      const whole = await askWhole(list, options)
      if (whole.hasMore === true) throw error
      unpaged.add(list.endpoint)
      return whole
    }
  }

  return async function readPage(list, options) {
    const { page, size = list.endpoint === 'users' ? usersPerPage : itemsPerPage } = options
    const { raw, hasMore, isWhole } = await askPageOrWhole(list, page, size, options)
    return {
      ...list.readAll(raw),
      // Bare lists do not say whether there is more; they end with an empty page, or are whole.
      hasMore: isWhole !== true && (hasMore ?? raw.length > 0),
      isBare: hasMore === undefined,
      isFull: raw.length === size,
      answeredAtMs: clock.now(),
    }
  }
}

/** The platform has no page 0. */
function toNoPage(error: unknown): undefined {
  if (!(error instanceof PlatformError) || !['REFUSED', 'NOT_FOUND'].includes(error.code)) throw error
}

/** Most of it is in both: something may have changed in between. */
function isSamePage(a: List, b: List): boolean {
  const ids = new Set(b.raw.map(toItemId))
  return 2 * a.raw.filter((item) => ids.has(toItemId(item))).length > a.raw.length
}
