/** Lists that a platform may not have. Orders of guides and the Health page depend on it, so each answer is kept. */
import type { ClickHouseClient } from '@clickhouse/client'
import { type Clock, createRemembered } from './clock.ts'
import { failsWith, PlatformError } from './platform-error.ts'
import type { ListName, ReadPage } from './read-pages.ts'

/** 404: not found. 405: not allowed. */
export type ListAnswer = { list: ListName; answer: 'answered' | 'not_found' | 'not_allowed' }

const hourMs = 3_600_000
const isMissing = (error: unknown) =>
  error instanceof PlatformError && (error.status === 404 || error.status === 405)

/** Rejects with `NOT_OFFERED`, for a day, if a list is answered by 404 or 405. */
export function withMissingLists(
  read: ReadPage,
  clock: Clock,
  onList?: (answer: ListAnswer) => void,
): ReadPage {
  const missing = createRemembered<ListName>(clock)

  return async function readPage(list, options) {
    const { endpoint } = list
    if (missing.has(endpoint)) throw toNotOffered(endpoint)
    try {
      const page = await read(list, options)
      onList?.({ list: endpoint, answer: 'answered' })
      return page
    } catch (error) {
      // Users are specified: without them the address is wrong. A later page of 404 may be past the end.
      if (endpoint === 'users' || !isMissing(error)) throw error
      if (options.page !== 0 && !(await failsWith(isMissing, () => read(list, { ...options, page: 0 }))))
        throw error
      const isNotFound = (error as PlatformError).status === 404
      onList?.({ list: endpoint, answer: isNotFound ? 'not_found' : 'not_allowed' })
      // Here it may be the guide that is not found.
      if (endpoint === 'guide_assignments' && isNotFound) throw error
      missing.add(endpoint)
      throw toNotOffered(endpoint, error)
    }
  }
}

function toNotOffered(list: ListName, cause?: unknown): PlatformError {
  const message = `The platform does not offer its list of ${list.replaceAll('_', ' ')}. It is asked again once a day.`
  return new PlatformError('NOT_OFFERED', message, { cause })
}

/** Writes each answer of a list, at most once an hour. */
export function createListRecord(
  client: Pick<ClickHouseClient, 'insert'>,
  toPath: (list: ListName) => string,
): (answer: ListAnswer) => void {
  const written = createRemembered<string>({ now: Date.now }, hourMs)

  return function record({ list, answer }) {
    const key = `${list} ${answer}`
    if (written.has(key)) return
    written.add(key)
    const values = [{ list, path: toPath(list).replace(/\?.*/s, ''), [`${answer}_at`]: Date.now() }]
    client
      .insert({ table: 'rollcall.platform_lists', values, format: 'JSONEachRow' })
      // The next answer tries again.
      .catch(() => written.forget(key))
  }
}
