/**
 * What a form has done, told after a redirect, so that loading the page again repeats nothing. It stands in a sealed cookie of the
 * reader's browser, which any dashboard of the store opens, and is taken once. What is too long for a cookie is kept in this process.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Entrance } from '../access/entrance.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import { setOwnCookie } from './own-cookie.ts'

export type Flash = ReturnType<typeof createFlash>

const purpose = 'flash'
const cookie = 'rollcall_flash'
const keptMs = 2 * 60_000
/** Browsers keep some 4,000 characters of a cookie; sealing adds a third. */
const mostSealed = 2_600
/** Beyond so many, the oldest goes. */
const mostKept = 100

type Left = { id: string; path: string; login: string; said: Record<string, unknown> | null; at: number }

/** `pagesClock`: counts where nobody signs in. Seals have the clock of those who sign in. */
export function createFlash(entrance: Pick<Entrance, 'access' | 'isSecure'> | undefined, pagesClock: () => number) {
  const { seals, clock } = entrance?.access ?? { seals: undefined, clock: pagesClock }
  const kept = new Map<string, Left>()
  const taken = new Map<string, number>()

  function dropOld(now: number): void {
    for (const [id, { at }] of kept) if (kept.size > mostKept || Math.abs(now - at) > keptMs) kept.delete(id)
    for (const [id, at] of taken) if (Math.abs(now - at) > keptMs) taken.delete(id)
  }

  /** `undefined`: nothing was left for this page and this reader, or it was taken. */
  async function take(c: Context, path: string): Promise<Record<string, unknown> | undefined> {
    const value = getCookie(c, cookie)
    if (value === undefined) return undefined
    const left = kept.get(value) ?? ((await seals?.open(purpose, value)) as Left | undefined)
    if (left !== undefined && left.path !== path) return undefined
    deleteCookie(c, cookie, { path: '/', secure: entrance?.isSecure ?? false })
    const now = clock()
    dropOld(now)
    if (left === undefined || left.login !== currentVisitor().login || taken.has(left.id)) return undefined
    taken.set(left.id, now)
    kept.delete(left.id)
    return left.said ?? undefined
  }

  return {
    take,
    /** Only what of it is text. */
    async takeTexts(c: Context, path: string): Promise<Record<string, string>> {
      const said = Object.entries((await take(c, path)) ?? {})
      return Object.fromEntries(said.filter((each): each is [string, string] => typeof each[1] === 'string'))
    },

    /** Leaves it for the page at `path`, for the reader who is signed in now. */
    async leave(c: Context, path: string, said: Record<string, unknown>): Promise<void> {
      const left: Left = { id: randomUUID(), path, login: currentVisitor().login, said, at: clock() }
      const isShort = seals !== undefined && JSON.stringify(said).length <= mostSealed
      if (!isShort) kept.set(left.id, left)
      dropOld(left.at)
      const value = isShort ? await seals.seal(purpose, left, left.at + keptMs) : left.id
      setOwnCookie(c, cookie, value, keptMs, entrance?.isSecure ?? false)
    },
  }
}
