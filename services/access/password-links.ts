/**
 * Links with which people set a password: an owner has added them, or they forgot theirs. A link is a sealed text that says
 * whose it is. Nothing is kept of it but, once it is used, its hash.
 */
import { z } from 'zod'
import { hashToken } from '../config/token.ts'
import type { Access } from './access.ts'
import type { AccessChanges } from './changes.ts'

export type PasswordLinks = ReturnType<typeof createPasswordLinks>

export const linkHours = 24
const purpose = 'password'
const linkSchema = z.object({
  login: z.string(),
  /** As of a session. */
  lastEnd: z.number(),
  password: z.string(),
})

export function createPasswordLinks({ store, seals, clock, readLastEnd }: Access, changes: AccessChanges) {
  const hashOf = (text: string) => hashToken(text).toString('base64url')

  /** Whose it is. `undefined`: unknown, expired, used, or of before a new password or a removal. */
  async function find(token: string): Promise<{ login: string; lastEnd: number } | undefined> {
    const link = linkSchema.safeParse(await seals.open(purpose, token)).data
    if (link === undefined) return undefined
    const { login, lastEnd, password } = link
    const [person, end, isUsed] = await Promise.all([
      store.readPerson(login),
      readLastEnd(login),
      store.isLinkUsed(hashOf(token)),
    ])
    const isOver = end > lastEnd || isUsed || !changes.mayComeIn(login, person)
    return isOver || hashOf(person?.password ?? '') !== password ? undefined : { login, lastEnd }
  }

  return {
    find: async (token: string): Promise<string | undefined> => (await find(token))?.login,

    /** For any login, so that it takes as long for one that nobody has: such a link opens nothing. */
    async make(login: string): Promise<string> {
      const [person, lastEnd] = await Promise.all([store.readPerson(login), readLastEnd(login)])
      const link = { login, lastEnd, password: hashOf(person?.password ?? '') }
      return seals.seal(purpose, link, clock() + linkHours * 3_600_000)
    },

    /** Whether the link was good for it. Ends every session and every other link of its person. `password`: a hash. */
    async use({
      token,
      password,
      address,
    }: {
      token: string
      password: string
      address: string
    }): Promise<boolean> {
      const whose = await find(token)
      if (whose === undefined || !(await store.useLink(hashOf(token)))) return false
      return (await changes.setPassword({ ...whose, password, by: whose.login, address })).ok
    },
  }
}
