/**
 * The outcome of a form, shown after a redirect, so that loading the page again repeats nothing. A sealed cookie of the reader's browser
 * carries it, which any dashboard of the store opens. It is shown once. This process keeps an outcome that is too long for a cookie.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Entrance } from '../access/entrance.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import { setOwnCookie } from '../access/own-cookie.ts'
import type { OutcomeProps } from '../page-context.ts'

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
  /** For the frame of the page. */
  outcome: OutcomeProps
  /** For the page itself. */
  content: Record<string, unknown>
  at: number
}

const taken = 'rollcall-flash'

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

  /** Takes it from the browser at its first use in a request. `undefined`: nothing for this page and this reader, or already shown. */
  async function take(c: Context, path: string): Promise<Message | undefined> {
    const before = c.get(taken) as Message | undefined
    if (before !== undefined) return before
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
    c.set(taken, message)
    return message
  }

  async function put(c: Context, left: Pick<Message, 'path' | 'outcome' | 'content'>): Promise<void> {
    const message: Message = { ...left, id: randomUUID(), login: currentVisitor().login, at: clock() }
    const isShort = seals !== undefined && Buffer.byteLength(JSON.stringify(left)) <= mostSealed
    if (!isShort) long.set(message.id, message)
    dropOld(message.at)
    const value = isShort ? await seals.seal(purpose, message, message.at + keptMs) : message.id
    setOwnCookie(c, cookie, value, keptMs, entrance?.isSecure ?? false)
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
