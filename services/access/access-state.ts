/**
 * The facts that decide every request, held for a few seconds: roles, tokens, ended sessions. A change by this process
 * holds at once; other processes follow.
 */
import { hold } from '../runtime/hold.ts'
import type { AccessPerson, AccessStore, AccessToken } from './access-store.ts'

export type AccessFacts = {
  people: ReadonlyMap<string, AccessPerson>
  /** By hash. */
  tokens: ReadonlyMap<string, AccessToken>
  sessionEnds: ReadonlyMap<string, number>
}

const userMaxAgeMs = 60_000
const maxUsers = 10_000

export function createAccessState(store: AccessStore, clock: () => number) {
  const users = new Map<string, { at: number; userId: Promise<string | null> }>()

  async function readFacts(): Promise<AccessFacts> {
    const [people, tokens, sessionEnds] = await Promise.all([
      store.readPeople(),
      store.readTokens(),
      store.readSessionEnds(),
    ])
    return {
      people: new Map(people.map((person) => [person.login, person])),
      tokens: new Map(tokens.map((token) => [token.sha256, token])),
      sessionEnds,
    }
  }

  const facts = hold(readFacts, clock)
  return {
    read: facts.read,
    forget(): void {
      facts.forget()
      users.clear()
    },
    /** The platform's user with this e-mail, held for a minute. */
    findUser(email: string): Promise<string | null> {
      const now = clock()
      const user = users.get(email)
      if (user !== undefined && Math.abs(now - user.at) <= userMaxAgeMs) return user.userId
      if (users.size >= maxUsers) users.clear()
      const userId = store.findUser(email, now)
      users.set(email, { at: now, userId })
      userId.catch(() => users.delete(email))
      return userId
    },
  }
}
