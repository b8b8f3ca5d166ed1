/** Which of the digests that are due are read together, and what was read for them. */
import type { Visitor } from '../../services/access/visitor.ts'
import { toSince, type Schedule } from '../schedule.ts'
import type { Composer } from '../content/compose.ts'
import type { Member, Members } from '../members.ts'
import type { DigestsTogether } from '../content/read-digest.ts'

export type DueTogetherOptions = {
  composer: Pick<Composer, 'readTogether' | 'countSeen'>
  members: Pick<Members, 'identify'>
  clock: () => number
  /** In the order in which they will be asked for. */
  due: readonly { member: Member; schedule: Schedule }[]
  /** How far the last digest of each that surely arrived reaches, epoch ms. */
  coveredUntil: (login: string) => number | undefined
}

export type DueTogether = {
  /** What was read for this one and others; `undefined`: it is read alone. */
  of(login: string): Promise<DigestsTogether | undefined>
}

/** Few enough that the numbers are of just now when the last one is sent. */
const mostDigests = 50
const maxAgeMs = 60_000
/** Bounds what is held at once. */
const mostPeople = 4_000
/** Somebody with more is read alone. */
const mostPeopleOfOne = 1_000
/** Of fewer, each is read alone. */
const fewestDigests = 3

export function createDueTogether({ composer, members, clock, due, coveredUntil }: DueTogetherOptions): DueTogether {
  let held: { logins: ReadonlySet<string>; together: DigestsTogether } | undefined
  const alone = new Set<string>()

  /** From this one on: those whose digest begins at the same moment. */
  async function choose(first: number, now: number): Promise<{ chosen: Map<string, Visitor>; since: number }> {
    const chosen = new Map<string, Visitor>()
    let since = 0
    let people = 0
    for (const { member, schedule } of due.slice(first)) {
      if (chosen.size === mostDigests) break
      const { login, role } = member
      if (role !== 'manager' || alone.has(login)) continue
      const ownSince = toSince(schedule, now, coveredUntil(login))
      if (chosen.size > 0 && ownSince !== since) continue
      const { visitor } = await members.identify(login)
      const count = visitor.role === 'manager' ? await composer.countSeen(visitor) : null
      if (count === null || count > mostPeopleOfOne) {
        alone.add(login)
        if (chosen.size === 0) break
        continue
      }
      if (people + count > mostPeople) break
      since = ownSince
      people += count
      chosen.set(login, visitor)
    }
    return { chosen, since }
  }

  return {
    async of(login) {
      const now = clock()
      if (held !== undefined && held.logins.has(login) && Math.abs(now - held.together.asOf) <= maxAgeMs)
        return held.together
      held = undefined
      const first = due.findIndex(({ member }) => member.login === login)
      if (alone.has(login) || first === -1) return undefined
      const { chosen, since } = await choose(first, now)
      const isEnough = chosen.has(login) && chosen.size >= fewestDigests
      const together = isEnough ? await composer.readTogether([...chosen.values()], { since, now }) : null
      if (together === null) {
        alone.add(login)
        return undefined
      }
      held = { logins: new Set(chosen.keys()), together }
      return together
    },
  }
}
