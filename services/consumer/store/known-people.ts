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

/** `mostPeople`, `mostLinks`: how many are kept, a link once for each of its two people. The least recently used people are dropped. */
export function createKnownPeople(mostPeople: number, mostLinks: number) {
  const people = new Map<string, KnownPerson>()
  let links = 0

  function remove(userId: string): void {
    const { managers, reports } = people.get(userId) ?? {}
    links -= (managers?.size ?? 0) + (reports?.size ?? 0)
    people.delete(userId)
  }

  function dropOld(): void {
    for (const userId of people.keys()) {
      if (people.size <= mostPeople && links <= mostLinks) return
      remove(userId)
    }
  }

  function add(others: Map<string, KnownLink> | undefined, id: string, link: KnownLink): void {
    if (others === undefined) return
    if (!others.has(id)) links++
    others.set(id, link)
  }

  return {
    /** `undefined` = not cached. Recently used people stay longest. */
    get(userId: string): KnownPerson | undefined {
      const person = people.get(userId)
      if (person === undefined) return undefined
      people.delete(userId)
      people.set(userId, person)
      return person
    },
    /** Without links: those are told one by one. */
    set(userId: string, { versions, fingerprint }: Pick<KnownPerson, 'versions' | 'fingerprint'>): void {
      remove(userId)
      people.set(userId, { versions, fingerprint, managers: new Map(), reports: new Map() })
      dropOld()
    },
    /** Kept for both people of a pair, if cached. */
    setLink(managerId: string, reportId: string, link: KnownLink): void {
      add(people.get(managerId)?.reports, reportId, link)
      add(people.get(reportId)?.managers, managerId, link)
      dropOld()
    },
    clear(): void {
      people.clear()
      links = 0
    },
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
