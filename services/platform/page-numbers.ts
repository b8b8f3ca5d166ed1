/**
 * The platform's number of a list's first page: 0 or 1. Documented for users (0, bare lists) and for envelopes (1); an
 * old account's bare list of guides may be either, and a wrong guess would silently lose its first page.
 */
import { PlatformError } from './platform-error.ts'
import type { List } from './read-answer.ts'

export type PageNumbers = ReturnType<typeof createPageNumbers>

/** `expected`: the documented number of the first page. */
export function createPageNumbers(expected: 0 | 1) {
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
      const before = await readPageZero(read)
      isKnown = true
      if (before === undefined || before.raw.length === 0 || isSame(before, list)) return list
      first = 0
      return page === 0 ? before : read(page)
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

function isSame(a: List, b: List): boolean {
  return JSON.stringify(a.raw) === JSON.stringify(b.raw)
}
