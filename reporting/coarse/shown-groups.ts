/** Which teams and challenges are large enough to be shown to readers who may not ask for single people. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { fewestPeople } from '../audience/audience.ts'

/** How many people a group has, and how many of them give it each kind of number. */
export type Size = { people: number; grades: number; graded: number; completed: number; waiting: number }

/**
 * `only`: how many of the people have nothing besides this challenge. `within`: the teams that hold all of the people.
 */
export type SizeRow = Size & {
  kind: 'all' | 'challenge' | 'teams' | 'both'
  /** A challenge; the teams of some people; or a team and a challenge. */
  ids: string[]
  only: number
}

export type ShownGroups = { all: Size; team: ReadonlyMap<string, Size>; challenge: ReadonlyMap<string, Size> }

type Group = Size & { rest: number }

const none: Size = { people: 0, grades: 0, graded: 0, completed: 0, waiting: 0 }

/**
 * A group is shown if it and the rest of everybody have at least five people each. It is not shown if it lies in another group that has
 * just a few people more: the one less the other would be these. Rest and difference are those of assignments: somebody with two
 * challenges is in the rest of each.
 */
export function toShownGroups(rows: readonly SizeRow[]): ShownGroups {
  const all = rows.find(({ kind }) => kind === 'all') ?? none
  const sets = rows.filter(({ kind }) => kind === 'teams')
  const challenges = new Map<string, Group>()
  for (const row of rows) {
    if (row.kind === 'challenge') challenges.set(row.ids[0] ?? '', { ...row, rest: all.people - row.only })
  }
  const teams = toTeams(sets, all.people)
  const close = { team: toCloseTeams(sets, teams), challenge: new Set<string>() }
  for (const { kind, ids, people, only } of rows) {
    if (kind !== 'both') continue
    const [teamId = '', challengeId = ''] = ids
    const [team, challenge] = [teams.get(teamId) ?? none, challenges.get(challengeId) ?? none]
    if (only === team.people && isFew(challenge.people - people)) close.team.add(teamId)
    if (people === challenge.people && isFew(team.people - only)) close.challenge.add(challengeId)
  }
  return {
    all,
    team: toShown(teams, close.team, (shown) => countWithoutTeam(sets, shown)),
    challenge: toShown(challenges, close.challenge, (shown) => countWithoutChallenge(challenges, shown)),
  }
}

/** `null`: the people of a scope are too few. */
export function findSize({ team: [team], challenge: [challenge] }: Scope, groups: ShownGroups): Size | null {
  const { all } = groups
  if (team !== undefined) return groups.team.get(team) ?? null
  if (challenge !== undefined) return groups.challenge.get(challenge) ?? null
  // Nobody is no secret; a few people are.
  return all.people === 0 || all.people >= fewestPeople ? all : null
}

function isFew(people: number): boolean {
  return people > 0 && people < fewestPeople
}

/** No team is the empty id. */
function toTeams(sets: readonly SizeRow[], everybody: number): Map<string, Group> {
  const teams = new Map<string, Group>()
  for (const { ids, ...size } of sets) {
    for (const id of ids.length === 0 ? [''] : ids) {
      const { people, grades, graded, completed, waiting } = teams.get(id) ?? none
      teams.set(id, {
        people: people + size.people,
        grades: grades + size.grades,
        graded: graded + size.graded,
        completed: completed + size.completed,
        waiting: waiting + size.waiting,
        rest: everybody - people - size.people,
      })
    }
  }
  return teams
}

/** Teams that lie in another one with just a few people more. */
function toCloseTeams(sets: readonly SizeRow[], teams: ReadonlyMap<string, Size>): Set<string> {
  const shared = new Map<string, Map<string, number>>()
  for (const { ids, people } of sets) {
    for (const id of ids) {
      const others = shared.get(id) ?? new Map<string, number>()
      shared.set(id, others)
      for (const other of ids) others.set(other, (others.get(other) ?? 0) + people)
    }
  }
  const sizeOf = (id: string) => teams.get(id)?.people ?? 0
  const isClose = ([id, others]: [string, Map<string, number>]) =>
    [...others].some(([other, people]) => people === sizeOf(id) && isFew(sizeOf(other) - people))
  return new Set([...shared].filter(isClose).map(([id]) => id))
}

/**
 * The total less all that is shown would be the rest: where these are few, the smallest of the shown goes as well, until they are not.
 * `countRest`: how many people are in no shown group, or fewer.
 */
function toShown(
  groups: ReadonlyMap<string, Group>,
  close: ReadonlySet<string>,
  countRest: (shown: ReadonlyMap<string, Size>) => number,
): Map<string, Size> {
  const large = [...groups].filter(
    ([id, { people, rest }]) => people >= fewestPeople && rest >= fewestPeople && !close.has(id),
  )
  const shown = new Map(large.toSorted(([, a], [, b]) => a.people - b.people))
  for (const id of shown.keys()) {
    if (!isFew(countRest(shown))) break
    shown.delete(id)
  }
  return shown
}

/** People without a shown team: a team that is left out may lie in those that are shown. */
function countWithoutTeam(sets: readonly SizeRow[], shown: ReadonlyMap<string, Size>): number {
  return sets
    .filter(({ ids }) => !(ids.length === 0 ? [''] : ids).some((id) => shown.has(id)))
    .reduce((sum, { people }) => sum + people, 0)
}

/** Assignments have one challenge, so those left out are at least the people of the largest challenge left out. */
function countWithoutChallenge(challenges: ReadonlyMap<string, Size>, shown: ReadonlyMap<string, Size>): number {
  return Math.max(0, ...[...challenges].filter(([id]) => !shown.has(id)).map(([, { people }]) => people))
}
