/** Reads a list page by page to its end, and ends lists that have none. */
import type { Page } from './platform-client.ts'
import { PlatformError } from './platform-error.ts'

export type NumberedPage<Item> = Page<Item> & { page: number }

/** No account has this many; at 100 per page it is a million. */
const defaultMaxPages = 10_000

/**
 * From a page on: 0 is the first. Rejects with `ENDLESS` when the same page comes twice in a row, or far too many come.
 */
export async function* eachPage<Item>(
  read: (page: number) => Promise<Page<Item>>,
  { from = 0, maxPages = defaultMaxPages }: { from?: number; maxPages?: number } = {},
): AsyncGenerator<NumberedPage<Item>, void, undefined> {
  let before: string | undefined
  for (let page = from; page < maxPages; page++) {
    const answer = await read(page)
    const content = JSON.stringify(answer.items)
    if (content === before && answer.hasMore) {
      throw new PlatformError(
        'ENDLESS',
        `The platform gives the same page again and again (page ${page + 1} of a list).`,
      )
    }
    before = content
    yield { ...answer, page }
    if (!answer.hasMore) return
  }
  throw new PlatformError('ENDLESS', `A list of the platform does not end after ${maxPages} pages.`)
}
