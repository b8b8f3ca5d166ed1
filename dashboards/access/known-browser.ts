/**
 * Browsers in which a person has signed in before. Their tries at a password are counted by themselves, so no stranger can
 * lock the person out.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { z } from 'zod'
import type { Entrance } from './entrance.ts'
import { setOwnCookie } from './own-cookie.ts'

const purpose = 'browser'
const keptMs = 180 * 86_400_000
const browserSchema = z.object({ id: z.string(), login: z.string() })

type Parts = Pick<Entrance, 'access' | 'isSecure'>

const toName = ({ isSecure }: Parts) => (isSecure ? '__Host-rollcall_browser' : 'rollcall_browser')

/** `undefined`: nobody has signed in here as `login`, or somebody else has since. */
export async function findBrowser(c: Context, parts: Parts, login: string): Promise<string | undefined> {
  const opened = await parts.access.seals.open(purpose, getCookie(c, toName(parts)) ?? '')
  const browser = browserSchema.safeParse(opened).data
  return browser?.login === login ? browser.id : undefined
}

export async function rememberBrowser(c: Context, parts: Parts, login: string): Promise<void> {
  const { seals, clock } = parts.access
  const id = (await findBrowser(c, parts, login)) ?? randomUUID()
  setOwnCookie(
    c,
    toName(parts),
    await seals.seal(purpose, { id, login }, clock() + keptMs),
    keptMs,
    parts.isSecure,
  )
}
