/** Lists that a platform does not have: it is said once, and asked again daily. */
import { type Clock, createRemembered } from './clock.ts'
import type { ListAnswer } from './platform-notices.ts'
import { PlatformError } from './platform-error.ts'
import type { ListName, ReadPage } from './read-pages.ts'

const listWords: Record<ListName, string> = {
  users: 'users',
  guides: 'guides',
  guide_assignments: 'guide assignments',
  changed_guide_assignments: 'changed guide assignments',
}

/** Rejects with `NOT_OFFERED` where a list is answered by 404 or 405. A later page of 404 may just be past the end. */
export function withMissingLists(read: ReadPage, clock: Clock, onList?: (answer: ListAnswer) => void): ReadPage {
  const missing = createRemembered<ListName>(clock)

  return async function readPage(list, options) {
    const { endpoint } = list
    if (missing.has(endpoint)) throw toNotOffered(endpoint)
    try {
      const page = await read(list, options)
      onList?.({ list: endpoint, answer: 'answered' })
      return page
    } catch (error) {
      const { status } = error as PlatformError
      // Users are specified: without them the address is wrong.
      if (endpoint === 'users' || (status !== 404 && status !== 405)) throw error
      if (options.page !== 0 && (await isAnswered(() => read(list, { ...options, page: 0 })))) throw error
      onList?.({ list: endpoint, answer: status === 404 ? 'not_found' : 'not_allowed' })
      // Here it may be the guide that is not found.
      if (endpoint === 'guide_assignments' && status === 404) throw error
      missing.add(endpoint)
      throw toNotOffered(endpoint, error)
    }
  }
}

async function isAnswered(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    if (error instanceof PlatformError && (error.status === 404 || error.status === 405)) return false
    throw error
  }
}

function toNotOffered(list: ListName, cause?: unknown): PlatformError {
  const message = `The platform does not offer its list of ${listWords[list]}. It is asked again once a day.`
  return new PlatformError('NOT_OFFERED', message, { cause })
}
