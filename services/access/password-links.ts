/**
 * Links with which people set a password: an owner has added them, or they forgot theirs. A link is a sealed text with a login and the
 * version of its person. Any change of the person ends it, as its own use does. Nothing is stored.
 */
import { z } from 'zod'
import type { Access } from './access.ts'
import type { AccessChanges } from './changes.ts'

export type PasswordLinks = ReturnType<typeof createPasswordLinks>

export const linkHours = 24
const purpose = 'password'
const linkSchema = z.object({ login: z.string(), version: z.number() })

export function createPasswordLinks({ store, seals, clock }: Access, changes: AccessChanges) {
  /** Whose it is. `undefined`: unknown, expired or ended. */
  async function find(token: string): Promise<z.infer<typeof linkSchema> | undefined> {
    const link = linkSchema.safeParse(await seals.open(purpose, token)).data
    if (link === undefined) return undefined
    const person = await store.readPerson(link.login)
    const isCurrent = (person?.version ?? 0) === link.version
    return isCurrent && changes.mayComeIn(link.login, person) ? link : undefined
  }

  return {
    find: async (token: string): Promise<string | undefined> => (await find(token))?.login,

    /** For any login, so that it takes as long for one that nobody has: such a link opens nothing. */
    async make(login: string): Promise<string> {
      const { version = 0 } = (await store.readPerson(login)) ?? {}
      return seals.seal(purpose, { login, version }, clock() + linkHours * 3_600_000)
    },

    /** Whether the link was good for it. Ends every session of its person. `password`: a hash. */
    async use(token: string, password: string, address: string): Promise<boolean> {
      const link = await find(token)
      if (link === undefined) return false
      return (await changes.setPassword({ ...link, password, by: link.login, address })).ok
    },
  }
}
