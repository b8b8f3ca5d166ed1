import { readId, readObject, type JsonObject, type UsableEvent } from './reading.ts'
import type { PulledUser } from '../scope.ts'

/** One look at one user; a field that is `undefined` was not stated. */
type Observation = {
  at: number
  isPull: boolean
  /** The event id; of a pull, which has none, its text, so that any order of the pulls gives one result. */
  tieBreaker: string
  userId: string
  isDeleted: boolean | undefined
  isPermanentlyDeleted: boolean | undefined
  teams: string[] | undefined
  managers: string[] | undefined
  directReports: string[] | undefined
  attributes: Map<string, string> | undefined
}

/** The attributes that the tests allow: `USER_ATTRIBUTES`. */
export const allowedAttributes = ['country', 'site'] as const

export type People = {
  isActive(userId: string): boolean
  teamsOf(userId: string): string[]
  /** By name. */
  attributesOf(userId: string): Map<string, string>
  /** Everybody under this manager by at most so many links. */
  reportsOf(managerId: string, depth?: number): Set<string>
}

export function peopleAt(
  events: UsableEvent[],
  pulledUsers: PulledUser[],
  asOf: number,
  now: number,
): People {
  const observations = [...events.map(observeEvent), ...pulledUsers.map(observePull)]
    .filter((observation) => observation !== undefined)
    .filter((observation) => observation.at <= asOf || observation.at <= now)

  const byUser = Map.groupBy(observations, (seen) => seen.userId)
  const ofUser = (userId: string): Observation[] => byUser.get(userId) ?? []
  const everybody = new Set(observations.flatMap((seen) => [seen.userId, ...(seen.directReports ?? [])]))

  function directReportsOf(managerId: string): string[] {
    return [...everybody].filter((reportId) =>
      isLinked(ofUser(managerId), managerId, ofUser(reportId), reportId, asOf),
    )
  }

  return {
    isActive(userId) {
      const isDeleted = fieldAt(ofUser(userId), (seen) => seen.isDeleted, asOf, 'not true before')
      const isGone = fieldAt(ofUser(userId), (seen) => seen.isPermanentlyDeleted, asOf, 'not true before')
      return isDeleted !== true && isGone !== true
    },
    teamsOf(userId) {
      return fieldAt(ofUser(userId), (seen) => seen.teams, asOf, 'earliest later') ?? []
    },
    attributesOf(userId) {
      return fieldAt(ofUser(userId), (seen) => seen.attributes, asOf, 'earliest later') ?? new Map()
    },
    reportsOf(managerId, depth = Number.POSITIVE_INFINITY) {
      const found = new Set<string>()
      let level = [managerId]
      for (let links = 1; links <= depth && level.length > 0; links++) {
        const next = new Set(level.flatMap(directReportsOf))
        level = [...next].filter((userId) => userId !== managerId && !found.has(userId))
        for (const userId of level) found.add(userId)
      }
      return found
    },
  }
}

function fieldAt<Value>(
  observations: Observation[],
  read: (observation: Observation) => Value | undefined,
  asOf: number,
  whenNone: 'earliest later' | 'not true before',
): Value | undefined {
  const having = observations.filter((seen) => read(seen) !== undefined)
  const instant = decidingInstant(having, asOf, whenNone)
  const strongest = having
    .filter((seen) => seen.at === instant)
    .sort(byStrength)
    .at(-1)
  return strongest === undefined ? undefined : read(strongest)
}

/** Both sides can state a link: the report by its managers, the manager by the direct reports. */
function isLinked(
  ofManager: Observation[],
  managerId: string,
  ofReport: Observation[],
  reportId: string,
  asOf: number,
): boolean {
  const statements = [
    ...ofReport.map((seen) => ({ seen, isThere: seen.managers?.includes(managerId) })),
    ...ofManager.map((seen) => ({ seen, isThere: seen.directReports?.includes(reportId) })),
  ].filter(({ isThere }) => isThere !== undefined)
  const looks = statements.map(({ seen }) => seen)
  const instant = decidingInstant(looks, asOf, 'earliest later')
  const deciding = statements.filter(({ seen }) => seen.at === instant)
  const pulls = deciding.filter(({ seen }) => seen.isPull)
  if (pulls.length > 0) return pulls.some(({ isThere }) => isThere === true)
  const strongest = deciding.sort((a, b) => byStrength(a.seen, b.seen)).at(-1)
  return strongest?.isThere ?? false
}

/** The last instant by T; with none, the earliest later one, or none at all. */
function decidingInstant(
  observations: Observation[],
  asOf: number,
  whenNone: 'earliest later' | 'not true before',
): number | undefined {
  const instants = observations.map((seen) => seen.at).sort((a, b) => a - b)
  const last = instants.findLast((at) => at <= asOf)
  if (last !== undefined || whenNone === 'not true before') return last
  return instants[0]
}

/** At one instant a pull beats an event, then the higher event id. */
function byStrength(a: Observation, b: Observation): number {
  if (a.isPull !== b.isPull) return a.isPull ? 1 : -1
  return a.tieBreaker < b.tieBreaker ? -1 : a.tieBreaker > b.tieBreaker ? 1 : 0
}

function observeEvent(event: UsableEvent): Observation | undefined {
  const seen = observeUser(event.user, { at: event.timestamp, isPull: false, tieBreaker: event.eventId })
  if (seen === undefined || event.eventType !== 'userDeleted') return seen
  return { ...seen, isDeleted: true }
}

function observePull({ observedAt, user }: PulledUser): Observation | undefined {
  return observeUser(readObject(user), { at: observedAt, isPull: true, tieBreaker: JSON.stringify(user) })
}

function observeUser(
  user: JsonObject | undefined,
  origin: Pick<Observation, 'at' | 'isPull' | 'tieBreaker'>,
): Observation | undefined {
  const userId = readId(user?.['id'])
  if (user === undefined || userId === undefined) return undefined
  return {
    ...origin,
    userId,
    isDeleted: statedFlag(user['isDeleted']),
    isPermanentlyDeleted: statedFlag(user['isPermanentlyDeleted']),
    teams: statedIds(user['groups']),
    managers: statedIds(user['managers']),
    directReports: statedIds(user['directReports']),
    attributes: statedAttributes(user['customAttributes']),
  }
}

/** Null clears; a value of another type says nothing, as if it were absent. */
function statedFlag(value: unknown): boolean | undefined {
  if (value === null) return false
  return typeof value === 'boolean' ? value : undefined
}

function statedIds(value: unknown): string[] | undefined {
  if (value === null) return []
  if (!Array.isArray(value)) return undefined
  return value.map((item) => readId(readObject(item)?.['id'])).filter((id) => id !== undefined)
}

/** The last of two equal names counts; a value of another type, null and '' are not values. */
function statedAttributes(value: unknown): Map<string, string> | undefined {
  if (value === null) return new Map()
  if (!Array.isArray(value)) return undefined
  const found = new Map<string, string>()
  for (const item of value) {
    const { apiName, value: sent } = readObject(item) ?? {}
    if (typeof apiName !== 'string' || !(allowedAttributes as readonly string[]).includes(apiName)) continue
    const isPlain = typeof sent === 'string' || typeof sent === 'number' || typeof sent === 'boolean'
    if (isPlain && sent !== '') found.set(apiName, String(sent))
    else if (sent === null || sent === undefined || sent === '') found.delete(apiName)
  }
  return found
}
