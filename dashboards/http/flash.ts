/**
 * The outcome of a form, told after a redirect, so that loading the page again repeats nothing. It stands in a sealed cookie of the
 * reader's browser, which any dashboard of the store opens, and is taken once. An outcome too long for a cookie is kept in this process.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Entrance } from '../access/entrance.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import { setOwnCookie } from '../access/own-cookie.ts'

export type Flash = ReturnType<typeof createFlash>

const purpose = 'flash'
const cookie = 'rollcall_flash'
const keptMs = 2 * 60_000
/** In bytes. Browsers keep some 4,000 of a cookie; sealing adds a third. */
const mostSealed = 2_600
/** Beyond so many, the oldest goes. */
const mostKept = 100

type Message = {
  id: string
  path: string
  login: string
  content: Record<string, unknown> | null
  at: number
}

/** `pagesClock`: counts where nobody signs in. Seals have the clock of those who sign in. */
export function createFlash(
  entrance: Pick<Entrance, 'access' | 'isSecure'> | undefined,
  pagesClock: () => number,
) {
  const { seals, clock } = entrance?.access ?? { seals: undefined, clock: pagesClock }
  const long = new Map<string, Message>()
  const takenAt = new Map<string, number>()

  function dropOld(now: number): void {
    for (const [id, { at }] of long) if (long.size > mostKept || Math.abs(now - at) > keptMs) long.delete(id)
    for (const [id, at] of takenAt) if (Math.abs(now - at) > keptMs) takenAt.delete(id)
  }

  /** `undefined`: nothing was left for this page and this reader, or it was taken. */
  async function take(c: Context, path: string): Promise<Record<string, unknown> | undefined> {
    const value = getCookie(c, cookie)
    if (value === undefined) return undefined
    const message = long.get(value) ?? ((await seals?.open(purpose, value)) as Message | undefined)
    if (message !== undefined && message.path !== path) return undefined
    deleteCookie(c, cookie, { path: '/', secure: entrance?.isSecure ?? false })
    const now = clock()
    dropOld(now)
    if (message === undefined || message.login !== currentVisitor().login || takenAt.has(message.id))
      return undefined
    takenAt.set(message.id, now)
    long.delete(message.id)
    return message.content ?? undefined
  }

  return {
    take,
    /** Only what of it is text. */
    async takeTexts(c: Context, path: string): Promise<Record<string, string>> {
      const entries = Object.entries((await take(c, path)) ?? {})
      return Object.fromEntries(
        entries.filter((each): each is [string, string] => typeof each[1] === 'string'),
      )
    },

    /** Leaves it for the page at `path`, for the reader who is signed in now. */
    async leave(c: Context, path: string, content: Record<string, unknown>): Promise<void> {
      const message: Message = { id: randomUUID(), path, login: currentVisitor().login, content, at: clock() }
      const isShort = seals !== undefined && Buffer.byteLength(JSON.stringify(content)) <= mostSealed
      if (!isShort) long.set(message.id, message)
      dropOld(message.at)
      const value = isShort ? await seals.seal(purpose, message, message.at + keptMs) : message.id
      setOwnCookie(c, cookie, value, keptMs, entrance?.isSecure ?? false)
    },
  }
}
