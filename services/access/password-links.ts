/**
 * Links with which people set a password: an owner has added them, or they forgot theirs. A link is a sealed text that says
 * whose it is. Nothing is kept of it but, once it is used, its hash.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { hashToken } from '../config/token.ts'
import { createTurns } from '../runtime/turns.ts'
import type { Access } from './access.ts'
import { toEverySession } from './access-store.ts'
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

export function createPasswordLinks({ store, seals, clock }: Access, changes: AccessChanges) {
  const inTurn = createTurns()

  const hashOf = (text: string) => hashToken(text).toString('base64url')

  /** Whose it is. `undefined`: unknown, expired, used, or of before a new password or a removal. */
  async function find(token: string): Promise<{ login: string; lastEnd: number } | undefined> {
    const link = linkSchema.safeParse(await seals.open(purpose, token)).data
    if (link === undefined) return undefined
    const { login, lastEnd, password } = link
    const [people, ends] = await Promise.all([store.readPeople(), store.readSessionEnds()])
    const person = people.find((each) => each.login === login)
    const isOver =
      (ends.get(toEverySession(login)) ?? 0) > lastEnd ||
      findUses(ends, token).length > 0 ||
      !changes.mayComeIn(login, person)
    return isOver || hashOf(person?.password ?? '') !== password ? undefined : { login, lastEnd }
  }

  const findUses = (ends: ReadonlyMap<string, number>, token: string) =>
    [...ends.keys()].filter((subject) => subject.startsWith(`link:${hashOf(token)}:`))

  /** Two processes that use one link at the same moment each see the other, and neither has it; in one process the first has it. */
  async function claim(token: string): ReturnType<typeof find> {
    const whose = await find(token)
    if (whose === undefined) return undefined
    await store.writeSessionEnd(`link:${hashOf(token)}:${randomUUID()}`, clock())
    return findUses(await store.readSessionEnds(), token).length === 1 ? whose : undefined
  }

  return {
    find: async (token: string): Promise<string | undefined> => (await find(token))?.login,

    /** For any login, so that it takes as long for one that nobody has: such a link opens nothing. */
    async make(login: string): Promise<string> {
      const [people, ends] = await Promise.all([store.readPeople(), store.readSessionEnds()])
      const person = people.find((each) => each.login === login)
      const lastEnd = ends.get(toEverySession(login)) ?? 0
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
      return inTurn(async () => {
        const whose = await claim(token)
        return (
          whose !== undefined &&
          (await changes.setPassword({ ...whose, password, by: whose.login, address })).ok
        )
      })
    },
  }
}
