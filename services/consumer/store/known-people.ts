/**
 * The cache of people: enough to see that an observation says nothing new, and a fingerprint that shows whether the
 * tables still agree.
 */
import { isLinkNews, type LinkVersion } from '../fold/fold-link.ts'
import { isNews, type UserVersion } from '../fold/fold-user.ts'
import type { DeliveredObservation } from '../rows.ts'
import type { ImageRow } from './signed-rows.ts'

/** One pair of manager and report; both share the same object. */
export type KnownLink = { versions: LinkVersion[]; fingerprint: bigint }

export type KnownPerson = {
  versions: UserVersion[]
  /** Rows of the person alone. */
  fingerprint: bigint
  /** By the id of the other person. */
  managers: Map<string, KnownLink>
  reports: Map<string, KnownLink>
}

/** `capacity`: how many people; the least recently used are dropped. */
export function createKnownPeople(capacity: number) {
  const people = new Map<string, KnownPerson>()
  return {
    /** `undefined` = not cached. Recently used people stay longest. */
    get(userId: string): KnownPerson | undefined {
      const person = people.get(userId)
      if (person === undefined) return undefined
      people.delete(userId)
      people.set(userId, person)
      return person
    },
    set(userId: string, person: KnownPerson): void {
      people.delete(userId)
      people.set(userId, person)
      if (people.size <= capacity) return
      const [oldest] = people.keys()
      if (oldest !== undefined) people.delete(oldest)
    },
    /** Kept for both people of a pair, if cached. */
    setLink(managerId: string, reportId: string, link: KnownLink): void {
      people.get(managerId)?.reports.set(reportId, link)
      people.get(reportId)?.managers.set(managerId, link)
    },
    clear: () => people.clear(),
  }
}

/** As `fingerprints.sql` computes it: the sum of the hashes in 64 bits. */
export function toFingerprint(rows: readonly ImageRow[]): bigint {
  return BigInt.asIntN(
    64,
    rows.reduce((sum, { img }) => sum + BigInt(img), 0n),
  )
}

/** Counts everything the tables hold about a person, links included. */
export function fingerprintOf({ fingerprint, managers, reports }: KnownPerson): bigint {
  let sum = fingerprint
  for (const link of managers.values()) sum += link.fingerprint
  for (const link of reports.values()) sum += link.fingerprint
  return BigInt.asIntN(64, sum)
}

/** Whether an observation may change our knowledge of this person, the managers or the reports. */
export function isNewsOf(person: KnownPerson, observation: DeliveredObservation): boolean {
  const { userId, observedAtMs, managers, directReports } = observation
  return (
    isNews(person.versions, observation) ||
    areLinksNews(person.managers, managers, userId, observedAtMs) ||
    areLinksNews(person.reports, directReports, userId, observedAtMs)
  )
}

/** A list states that every link on it exists, and that all other known links do not. */
function areLinksNews(
  links: ReadonlyMap<string, KnownLink>,
  listed: readonly string[] | undefined,
  userId: string,
  statedAtMs: number,
): boolean {
  if (listed === undefined) return false
  if (listed.some((id) => id !== userId && !links.has(id))) return true
  const there = new Set(listed)
  for (const [id, { versions }] of links) {
    if (isLinkNews(versions, { statedAtMs, isThere: there.has(id) })) return true
  }
  return false
}
