/**
 * Turns all statements about a person into intervals (METRICS.md, "People as of T"). Field by field, the last observation
 * at or before T with the field counts; if there is none, the earliest later one, except for the two flags: not true.
 */
import { isDeepStrictEqual } from 'node:util'
import { endOfTimeMs } from '../../../schemas/metrics/state-bits.ts'

/** `undefined` = the observation lacks the field; false, [] and '' clear it. */
export type UserObservation = {
  observedAtMs: number
  kind: 'event' | 'pull'
  observationId: string
  isDeleted: boolean | undefined
  isPermanentlyDeleted: boolean | undefined
  teams: string[] | undefined
  name: string | undefined
  email: string | undefined
  /** JSON text of an object, by name and sorted by it, so that equal ones are equal texts. */
  attributes?: string | undefined
}

export type UserFacts = {
  isDeleted: boolean
  isPermanentlyDeleted: boolean
  teams: string[]
  /** Time of the first observation with teams, epoch ms, 0 = none; it also applies before. */
  teamsSeenAtMs: number
  name: string
  email: string
  attributes: string
  /** As of teams. */
  attributesSeenAtMs: number
}

export type UserVersion = UserFacts & { validFromMs: number; validToMs: number }

/** At one instant a pull beats an event, then the higher id. */
export function compareObservations(a: UserObservation, b: UserObservation): number {
  return (
    a.observedAtMs - b.observedAtMs ||
    Number(a.kind === 'pull') - Number(b.kind === 'pull') ||
    (a.observationId < b.observationId ? -1 : a.observationId > b.observationId ? 1 : 0) ||
    // One that was stored again after more attributes were allowed.
    (a.attributes ?? '').length - (b.attributes ?? '').length
  )
}

/**
 * The versions of one person, oldest first; the first reaches back for ever, the last is open-ended. Equal neighbours are
 * merged.
 */
export function foldUser(observations: readonly UserObservation[]): UserVersion[] {
  const ordered = [...observations].sort(compareObservations)
  const firstTeams = findEarliest(ordered, 'teams')
  const firstAttributes = findEarliest(ordered, 'attributes')
  let facts: UserFacts = {
    isDeleted: false,
    isPermanentlyDeleted: false,
    teams: firstTeams?.teams ?? [],
    teamsSeenAtMs: firstTeams?.observedAtMs ?? 0,
    name: findEarliest(ordered, 'name')?.name ?? '',
    email: findEarliest(ordered, 'email')?.email ?? '',
    attributes: firstAttributes?.attributes ?? '{}',
    attributesSeenAtMs: firstAttributes?.observedAtMs ?? 0,
  }
  const versions: UserVersion[] = [{ ...facts, validFromMs: 0, validToMs: endOfTimeMs }]
  ordered.forEach((observation, index) => {
    facts = learn(facts, observation)
    if (ordered[index + 1]?.observedAtMs === observation.observedAtMs) return
    const current = versions.at(-1) as UserVersion
    if (isSame(current, facts)) return
    current.validToMs = observation.observedAtMs
    versions.push({ ...facts, validFromMs: observation.observedAtMs, validToMs: endOfTimeMs })
  })
  return versions
}

/**
 * Whether an observation may change the fold's result: not if it is of the time of the last version, and each of its fields repeats
 * what that says and is not the first.
 */
export function isNews(last: Omit<UserVersion, 'validToMs'>, observation: UserObservation): boolean {
  const { observedAtMs, teams, attributes } = observation
  if (observedAtMs < last.validFromMs) return true
  const isFirst = (seenAtMs: number) => seenAtMs === 0 || observedAtMs < seenAtMs
  if (teams !== undefined && isFirst(last.teamsSeenAtMs)) return true
  if (attributes !== undefined && isFirst(last.attributesSeenAtMs)) return true
  return !isSame(last, learn(last, observation))
}

/** The observation that counts at the earliest instant with the field. */
function findEarliest(ordered: readonly UserObservation[], field: 'teams' | 'name' | 'email' | 'attributes') {
  const earliest = ordered.find((observation) => observation[field] !== undefined)
  return ordered.findLast(
    (observation) => observation.observedAtMs === earliest?.observedAtMs && observation[field] !== undefined,
  )
}

const learned = ['isDeleted', 'isPermanentlyDeleted', 'teams', 'name', 'email', 'attributes'] as const

function learn(facts: UserFacts, observation: UserObservation): UserFacts {
  const result: Record<string, unknown> = { ...facts }
  for (const field of learned) if (observation[field] !== undefined) result[field] = observation[field]
  return result as UserFacts
}

function isSame(a: UserFacts, b: UserFacts): boolean {
  return learned.every((field) => isDeepStrictEqual(a[field], b[field]))
}
