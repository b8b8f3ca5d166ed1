/** Reads lists of the platform: page by page, or whole if the platform takes no query. */
import type { PathName } from '../config/values/platform-paths.ts'
import type { CallOptions, ListOptions, Pages } from './platform-client.ts'
import type { ListAnswer, OptionalList } from './missing-lists.ts'
import { PlatformError } from './platform-error.ts'
import { type List, type ReadItems, toItemId, toList } from './read-answer.ts'

/** The documented number of the first page. A bare list of an old account may begin with 0 instead of 1. */
const documentedFirsts = {
  users: 0,
  guides: 1,
  guide_assignments: 1,
  changed_guide_assignments: 1,
  user_assignments: 1,
  webhook_subscriptions: 1,
} as const

type ListName = keyof typeof documentedFirsts

const optional: readonly ListName[] = [
  'guides',
  'guide_assignments',
  'changed_guide_assignments',
] satisfies OptionalList[]

type PlatformList<Item> = {
  endpoint: ListName
  /** In answers and messages. */
  name: string
  id?: string
  /** Which items: always sent. */
  range?: Record<string, string>
  /** Not sent if the platform takes no query. */
  query?: Record<string, string>
  /** Not documented as paged: a list is whole unless it says that there is more. */
  isShort?: true
  readAll: (raw: unknown[]) => ReadItems<Item>
}

type PageReaderDeps = {
  get(
    endpoint: PathName,
    where: { id?: string; query: Record<string, string> },
    options: CallOptions,
  ): Promise<unknown>
  now(): number
  onList?: ((answer: ListAnswer) => void) | undefined
}

/** The maximum of live platforms. */
const usersPerPage = 100
const itemsPerPage = 200
/** No account has this many; at 100 per page it is a million. */
const defaultMaxPages = 10_000

const hasStatus = (error: unknown, ...statuses: number[]) =>
  error instanceof PlatformError && statuses.includes(error.status ?? 0)

export function createPageReader({ get, now, onList }: PageReaderDeps) {
  const firsts: Record<ListName, number> = { ...documentedFirsts }
  /** The platform refuses their queries. */
  const unpaged = new Set<ListName>()

  async function ask(
    { endpoint, id, range, query, isShort, name }: PlatformList<unknown>,
    number: number | undefined,
    { size, from: _from, maxPages: _maxPages, ...options }: ListOptions & { size: number },
  ): Promise<List> {
    const sizeOfPage = isShort ? {} : { [endpoint === 'users' ? 'limit' : 'per_page']: String(size) }
    const paged = number === undefined ? {} : { ...query, ...sizeOfPage, page: String(number) }
    const where = { ...(id !== undefined && { id }), query: { ...range, ...paged } }
    return toList(await get(endpoint, where, options), name)
  }

  async function askWhole(list: PlatformList<unknown>, options: ListOptions & { size: number }) {
    const answer = await ask(list, undefined, options)
    return { ...answer, hasMore: answer.hasMore ?? false }
  }

  /** Our page n; 0 is the first. A wrong guess of the platform's number would lose a page without a word. */
  async function askPage(
    list: PlatformList<unknown>,
    page: number,
    options: ListOptions & { size: number },
  ): Promise<List> {
    const { endpoint, isShort } = list
    if (unpaged.has(endpoint) || (isShort && page === 0)) return askWhole(list, options)
    const documented = documentedFirsts[endpoint]
    const number = page + firsts[endpoint]
    /** A bare list that is read from 0 may begin with 1. */
    const mayBeNone = number === 0 && documented === 1
    try {
      const answer = await ask(list, number, options)
      if (answer.hasMore !== undefined || isShort || firsts[endpoint] === 0)
        return mayBeNone && answer.raw.length === 0 ? { ...answer, hasMore: true } : answer
      firsts[endpoint] = 0
      return await askPage(list, page, options)
    } catch (error) {
      if (mayBeNone && hasStatus(error, 400, 404, 422)) return { raw: [], hasMore: true }
      // A first page is refused for its query. A later one may be past the end, unless the first one is refused as well.
      if (page !== (options.from ?? 0) || !hasStatus(error, 400)) throw error
      if (page > 0) {
        const refusal = await ask(list, firsts[endpoint], options).catch((reason: unknown) => reason)
        if (!hasStatus(refusal, 400)) throw error
      }
      const whole = await askWhole(list, options)
      if (whole.hasMore) throw error
      unpaged.add(endpoint)
      return whole
    }
  }

  /** The same, with `NOT_OFFERED` for a list that the platform does not have. */
  async function askOffered(
    list: PlatformList<unknown>,
    page: number,
    options: ListOptions & { size: number },
  ): Promise<List> {
    const { endpoint } = list
    if (!isOptional(endpoint)) return askPage(list, page, options)
    try {
      const answer = await askPage(list, page, options)
      onList?.({ list: endpoint, answer: 'answered' })
      return answer
    } catch (error) {
      // A later page of 404 may be past the end.
      if (page > 0 || !hasStatus(error, 404, 405)) throw error
      const isNotFound = hasStatus(error, 404)
      onList?.({ list: endpoint, answer: isNotFound ? 'not_found' : 'not_allowed' })
      // It may be the guide that is not found.
      if (endpoint === 'guide_assignments' && isNotFound) throw error
      const message = `The platform does not offer its list of ${endpoint.replaceAll('_', ' ')}.`
      throw new PlatformError('NOT_OFFERED', message, { cause: error })
    }
  }

  /**
   * To the end of the list. A bare list whose next page brings no new id is whole: it has no pages, or the last one came again.
   * Rejects with `ENDLESS` if such a page is full or says that there is more, or if far too many pages come.
   */
  return async function* readPages<Item>(list: PlatformList<Item>, given: ListOptions = {}): Pages<Item> {
    const size = given.size ?? (list.endpoint === 'users' ? usersPerPage : itemsPerPage)
    const { from = 0, maxPages = defaultMaxPages } = given
    let before: ReadonlySet<string> = new Set()
    for (let page = from; page < maxPages; page++) {
      const { raw, hasMore } = await askOffered(list, page, { ...given, size })
      const ids = new Set(raw.map(toItemId))
      // Two empty pages are a repeat, one is not.
      const isRepeated =
        page > from && [...ids].every((id) => before.has(id)) && (ids.size > 0 || before.size === 0)
      before = ids
      // A platform that begins with 1 may answer page 0 by the first one, too.
      if (isRepeated && page > 1 && (hasMore === true || raw.length === size)) {
        const message = `The platform ignores the page of a list and gives ${ids.size} items at most: the rest cannot be read.`
        throw new PlatformError('ENDLESS', message)
      }
      if (!isRepeated) yield { ...list.readAll(raw), page, answeredAtMs: now() }
      if (hasMore === false || (hasMore === undefined && (raw.length === 0 || (isRepeated && page > 1))))
        return
    }
    throw new PlatformError('ENDLESS', `A list of the platform does not end after ${maxPages} pages.`)
  }
}

const isOptional = (endpoint: ListName): endpoint is OptionalList => optional.includes(endpoint)
