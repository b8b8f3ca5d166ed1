/**
 * The outcome of a form, shown once after a redirect, so that loading the page again repeats nothing. A sealed cookie of the reader's
 * browser carries it, which any dashboard of the store opens. What is too long for a cookie stays in this process.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Entrance } from '../access/entrance.ts'
import { createSeals } from '../../services/access/session-cookie.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import { setOwnCookie } from '../access/own-cookie.ts'
import type { OutcomeProps } from '../page-context.ts'

export type Flash = ReturnType<typeof createFlash>

const purpose = 'flash'
const cookie = 'rollcall_flash'
const keptMs = 2 * 60_000
/** In bytes. Browsers ignore a longer cookie. */
const mostSealed = 4_000
/** Of those that are too long. The oldest goes. */
const mostLong = 100

type Message = {
  id: string
  path: string
  login: string
  /** For the frame of the page. */
  outcome: OutcomeProps
  content: Record<string, unknown>
}

const taken = 'rollcall-flash'

/** `pagesClock`: counts where nobody signs in. Seals have the clock of those who sign in. */
export function createFlash(
  entrance: Pick<Entrance, 'access' | 'isSecure'> | undefined,
  pagesClock: () => number,
) {
  const own = () => ({ seals: createSeals([randomUUID()], pagesClock), clock: pagesClock })
  const { seals, clock } = entrance?.access ?? own()
  const isSecure = entrance?.isSecure ?? false
  const takenAt = new Map<string, number>()
  const long = new Map<string, Message>()

  /** Takes it from the browser at its first use in a request. `undefined`: nothing for this page and this reader, or already shown. */
  async function take(c: Context, path: string): Promise<Message | undefined> {
    const before = c.get(taken) as Message | undefined
    if (before !== undefined) return before
    const sealed = (await seals.open(purpose, getCookie(c, cookie) ?? '')) as Message | undefined
    if (sealed?.path !== path) return undefined
    const message = long.get(sealed.id) ?? sealed
    long.delete(message.id)
    deleteCookie(c, cookie, { path: '/', secure: isSecure })
    const now = clock()
    for (const [id, at] of takenAt) if (Math.abs(now - at) > keptMs) takenAt.delete(id)
    if (message.login !== currentVisitor().login || takenAt.has(message.id)) return undefined
    takenAt.set(message.id, now)
    c.set(taken, message)
    return message
  }

  async function put(c: Context, left: Pick<Message, 'path' | 'outcome' | 'content'>): Promise<void> {
    const message: Message = { ...left, id: randomUUID(), login: currentVisitor().login }
    const seal = (what: Message) => seals.seal(purpose, what, clock() + keptMs)
    let value = await seal(message)
    if (value.length > mostSealed) {
      long.set(message.id, message)
      for (const id of long.keys()) if (long.size > mostLong) long.delete(id)
      setTimeout(() => long.delete(message.id), keptMs).unref()
      value = await seal({ ...message, outcome: { says: message.outcome.says }, content: {} })
    }
    setOwnCookie(c, cookie, value, keptMs, isSecure)
  }

  return {
    /** Shows the outcome at the top of the page at `to`, an address of ours, for the reader who is signed in now. `content`: for the page. */
    async done(c: Context, to: string, outcome: OutcomeProps, content: Message['content'] = {}) {
      const { says, undo, problem } = outcome
      const { pathname } = new URL(to, 'http://here.invalid')
      await put(c, { path: pathname, outcome: { says, undo, problem }, content })
      return c.redirect(to, 303)
    },

    takeOutcome: async (c: Context): Promise<OutcomeProps | undefined> =>
      (await take(c, new URL(c.req.url).pathname))?.outcome,

    take: async (c: Context, path: string): Promise<Message['content'] | undefined> =>
      (await take(c, path))?.content,
  }
}
