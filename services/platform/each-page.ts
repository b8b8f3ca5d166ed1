/** Reads a list page by page to its end, and ends lists that have none. */
import type { Page } from './platform-client.ts'
import { PlatformError } from './platform-error.ts'

export type NumberedPage<Item> = Page<Item> & { page: number }

/** No account has this many; at 100 per page it is a million. */
const defaultMaxPages = 10_000

/**
 * From a page on: 0 is the first. A bare list whose next page brings no new id is whole: it has no pages, or the last one
 * came again. Rejects with `ENDLESS` when a full page, or one that says that there is more, comes twice in a row, or far too many come.
 */
export async function* eachPage<Item>(
  read: (page: number) => Promise<Page<Item>>,
  { from = 0, maxPages = defaultMaxPages }: { from?: number; maxPages?: number } = {},
): AsyncGenerator<NumberedPage<Item>, void, undefined> {
  let before: ReadonlySet<string> | undefined
  for (let page = from; page < maxPages; page++) {
    const answer = await read(page)
    const ids = new Set(answer.items.map(toItemId))
    if (answer.hasMore && before !== undefined) {
      if (isSame(ids, before) && (!answer.isBare || ids.size === 0)) {
        const message = `The platform gives the same page again and again (page ${page + 1} of a list).`
        throw new PlatformError('ENDLESS', message)
      }
      if (answer.isBare && ids.size > 0 && isWithin(ids, before)) {
        if (!answer.isFull) return
        const message = `The platform ignores the page of a list and gives ${ids.size} items at most: the rest cannot be read.`
        throw new PlatformError('ENDLESS', message)
      }
    }
    before = ids
    yield { ...answer, page }
    if (!answer.hasMore) return
  }
  throw new PlatformError('ENDLESS', `A list of the platform does not end after ${maxPages} pages.`)
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isWithin(a, b)
}

function isWithin(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].every((id) => b.has(id))
}

/** Of an item as it was sent, or as it was read. Its content where it has no id. */
export function toItemId(item: unknown): string {
  const { id, assignment } = (item ?? {}) as { id?: unknown; assignment?: { id?: unknown } }
  const key = id ?? assignment?.id
  return typeof key === 'string' || typeof key === 'number' ? String(key) : JSON.stringify(item)
}
